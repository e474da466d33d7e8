import { useState } from 'react'

type Props = {
  value: string
  unit?: string
  className?: string
  /** An amount of the customer's own, which the eye hides. */
  own?: boolean
  /** Draws the cents lighter, for the one large figure of a page. */
  headline?: boolean
}

/** A figure, never separated from its unit by a line break. It lights up for a moment when it changes. */
export function Amount({ value, unit, className = '', own, headline }: Props) {
  const [shown, setShown] = useState({ value, changes: 0 })
  const { changes } = shown
  // Set while rendering, so that the figure changes in one step and a live region announces it once.
  if (shown.value !== value) setShown({ value, changes: changes + 1 })
  const cut = headline && value.includes('.') ? value.lastIndexOf('.') : value.length

  return (
    // A new key restarts the animation.
    <span key={changes} data-changed={changes > 0 ? '' : undefined} className={`figure ${own ? 'own ' : ''}${className}`}>
      {value.slice(0, cut)}
      {cut < value.length && <span className="cents">{value.slice(cut)}</span>}
      {unit && <span className="font-normal text-muted">&nbsp;{unit}</span>}
    </span>
  )
}
