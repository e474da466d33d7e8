import { type ReactNode, useEffect, useRef } from 'react'

type Props = {
  label: string
  /** The button that opened it. */
  anchor: HTMLElement
  onClose: () => void
  children: ReactNode
}

const GAP = 4

/** What else can be done with a row: one menu for all rows, in the browser's own popover under the button that opened it. */
export function RowMenu({ label, anchor, onClose, children }: Props) {
  const menu = useRef<HTMLElement>(null)

  useEffect(() => {
    const element = menu.current
    if (!element) return
    element.showPopover()
    const { right, bottom, top } = anchor.getBoundingClientRect()
    const { width, height } = element.getBoundingClientRect()
    const isBelow = bottom + GAP + height <= window.innerHeight
    element.style.left = `${Math.max(GAP, right - width)}px`
    element.style.top = `${isBelow ? bottom + GAP : Math.max(GAP, top - GAP - height)}px`
    element.querySelector<HTMLElement>('a, button')?.focus()
    const close = () => element.hidePopover()
    window.addEventListener('scroll', close, { once: true })
    return () => window.removeEventListener('scroll', close)
  }, [anchor])

  return (
    <nav
      ref={menu}
      popover="auto"
      aria-label={label}
      className="row-menu card"
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      {children}
    </nav>
  )
}
