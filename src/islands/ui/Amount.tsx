import { useState } from 'react'

type Props = {
  value: string
  unit?: string
  className?: string
  /** One of the customer's own amounts, which the eye button hides. */
  isPrivate?: boolean
  /** Draws the cents smaller and lighter, for a page's one large figure. */
  headline?: boolean
}

/** A figure that stays on one line with its unit. It lights up for a moment when it changes. */
export function Amount({ value, unit, className = '', isPrivate, headline }: Props) {
  const [shown, setShown] = useState({ value, changes: 0 })
  const { changes } = shown
  // Set while rendering, so that the figure changes in one step and a live region announces it once.
  if (shown.value !== value) setShown({ value, changes: changes + 1 })
  const cut = headline && value.includes('.') ? value.lastIndexOf('.') : value.length

  return (
    // A new key restarts the animation.
    <span key={changes} data-changed={changes > 0 ? '' : undefined} className={`figure ${isPrivate ? 'eye ' : ''}${className}`}>
      {value.slice(0, cut)}
      {cut < value.length && <span className="cents">{value.slice(cut)}</span>}
      {unit && <span className="font-normal text-muted">&nbsp;{unit}</span>}
    </span>
  )
}
