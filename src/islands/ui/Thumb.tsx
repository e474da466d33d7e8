import type { ReactNode } from 'react'

type Props = { label: string; figure: string; children: ReactNode }

/** The end of a form: the figure that counts, and the button (the children). On a phone it stays within reach of the thumb. */
export function Thumb({ label, figure, children }: Props) {
  return (
    <div className="thumb">
      <p className="thumb-say">
        <span>{label}</span>
        <b className="figure eye">{figure}</b>
      </p>
      {children}
    </div>
  )
}
