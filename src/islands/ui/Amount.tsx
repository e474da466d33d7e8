import { useEffect, useRef, useState } from 'react'

type Props = { value: string; unit?: string; className?: string }

/** A figure; its unit never wraps away from it. One that changes while it is looked at lights up for a moment. */
export function Amount({ value, unit, className = '' }: Props) {
  const shown = useRef(value)
  const [changes, setChanges] = useState(0)

  useEffect(() => {
    if (shown.current === value) return
    shown.current = value
    setChanges((count) => count + 1)
  }, [value])

  return (
    // A new key starts the animation again.
    <span key={changes} data-changed={changes > 0 ? '' : undefined} className={`figure ${className}`}>
      {value}
      {unit && <span className="font-normal text-muted">&nbsp;{unit}</span>}
    </span>
  )
}
