import { useState } from 'react'

type Props = { value: string; unit?: string; className?: string }

/** A figure; its unit never wraps away from it. One that changes while it is looked at lights up for a moment. */
export function Amount({ value, unit, className = '' }: Props) {
  const [shown, setShown] = useState({ value, changes: 0 })
  const { changes } = shown
  // While rendering, so that the new figure comes in one step: a live region says it once.
  if (shown.value !== value) setShown({ value, changes: changes + 1 })

  return (
    // A new key starts the animation again.
    <span key={changes} data-changed={changes > 0 ? '' : undefined} className={`figure ${className}`}>
      {value}
      {unit && <span className="font-normal text-muted">&nbsp;{unit}</span>}
    </span>
  )
}
