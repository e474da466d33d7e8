import { useState } from 'react'

type Props = { value: string; unit?: string; className?: string }

/** A figure, never separated from its unit by a line break. It lights up for a moment when it changes. */
export function Amount({ value, unit, className = '' }: Props) {
  const [shown, setShown] = useState({ value, changes: 0 })
  const { changes } = shown
  // Set while rendering, so that the figure changes in one step and a live region announces it once.
  if (shown.value !== value) setShown({ value, changes: changes + 1 })

  return (
    // A new key restarts the animation.
    <span key={changes} data-changed={changes > 0 ? '' : undefined} className={`figure ${className}`}>
      {value}
      {unit && <span className="font-normal text-muted">&nbsp;{unit}</span>}
    </span>
  )
}
