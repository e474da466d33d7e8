import type { ReactNode } from 'react'

type Saying = { label: string; figure: string }

/** The end of a form: the figure that counts, and the button (the children). On a phone it stays within reach of the thumb. */
export function Thumb({ children, ...saying }: Saying & { children: ReactNode }) {
  return (
    <div className="thumb">
      <ThumbSay {...saying} />
      {children}
    </div>
  )
}

/** The figure alone, for a dialog's `Actions`. */
export function ThumbSay({ label, figure }: Saying) {
  return (
    <p className="thumb-say">
      <span>{label}</span>
      <b className="figure eye">{figure}</b>
    </p>
  )
}
