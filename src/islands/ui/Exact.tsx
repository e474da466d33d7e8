import { useId } from 'react'
import { exactFigure } from '#messages/ui/parts.ts'

type Props = {
  shown: string
  exact: string
  unit: string
  className?: string /** Hidden together with all balances. */
  isPrivate?: boolean
}

/** A shortened figure; a press shows all its digits in the browser's own popover. */
export function Exact({ shown, exact, unit, className = '', isPrivate = false }: Props) {
  const id = useId()
  const text = (value: string) => (
    <span className="figure">
      <span className={isPrivate ? 'eye' : undefined}>{value}</span>
      <span className="font-normal opacity-75">&nbsp;{unit}</span>
    </span>
  )
  if (shown === exact) return <span className={className}>{text(shown)}</span>
  return (
    <>
      <button type="button" popoverTarget={id} className={`exact ${className}`}>
        {text(shown)}
        <span className="sr-only">{exactFigure}</span>
      </button>
      <span id={id} popover="auto" className="card m-auto p-4 text-base font-normal">
        {text(exact)}
      </span>
    </>
  )
}
