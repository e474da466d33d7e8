import type { MouseEvent } from 'react'

/** `onPress`: where it stays on the page; the link is for those without scripts. */
type Props = { label: string; href: string; onPress?: () => void }

/** The arrow in the corner of a card. */
export function BackArrow({ label, href, onPress }: Props) {
  const stay = (event: MouseEvent) => {
    if (!onPress) return
    event.preventDefault()
    onPress()
  }
  return (
    <a href={href} className="icon-button back-arrow" onClick={stay}>
      <svg
        viewBox="0 0 24 24"
        className="size-5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d="M15 5l-7 7 7 7" />
      </svg>
      <span className="sr-only">{label}</span>
    </a>
  )
}
