type Props = { value: string; unit?: string; className?: string }

/** A figure; its unit never wraps away from it. */
export function Amount({ value, unit, className = '' }: Props) {
  return (
    <span className={`figure ${className}`}>
      {value}
      {unit && <span className="font-normal text-muted">&nbsp;{unit}</span>}
    </span>
  )
}
