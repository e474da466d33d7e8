type Props = { label: string } & ({ href: string; onPress?: never } | { href?: never; onPress: () => void })

const LOOK = 'icon-button back-arrow'

/** The arrow in the corner of a card: a link, or a button where it stays on the page. */
export function BackArrow({ label, href, onPress }: Props) {
  const arrow = (
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
  )
  return href === undefined ? (
    <button type="button" aria-label={label} className={LOOK} onClick={onPress}>
      {arrow}
    </button>
  ) : (
    <a href={href} aria-label={label} className={LOOK}>
      {arrow}
    </a>
  )
}
