import type { MouseEvent } from 'react'
import { Icon } from './Icon.tsx'

/** `onPress`: stays on the page instead of following the link, which then only works without JavaScript. */
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
      <Icon>
        <path d="M15 5l-7 7 7 7" />
      </Icon>
      <span className="sr-only">{label}</span>
    </a>
  )
}
