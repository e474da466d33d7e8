import type { ReactNode } from 'react'

/** A 24 × 24 outline in the text colour, hidden from screen readers: the button around it needs its own name. */
export function Icon({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 24 24" className="icon" aria-hidden="true">
      {children}
    </svg>
  )
}
