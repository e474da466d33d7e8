import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { closeText } from '#messages/ui/parts.ts'
import { Icon } from './Icon.tsx'

type Props = {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
}

/** The first text field gets the focus. Without one, the focus stays on the close button. */
const FIRST_FIELD = 'input:not([readonly], [type=radio], [type=checkbox], [aria-hidden])'

/**
 * The browser's own modal dialog: it traps the focus, closes on Escape and returns the focus. If its owner ignores `onClose`, e.g.
 * while an action runs, it opens again.
 */
export function Dialog({ title, open, onClose, children, footer }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // Already open in the server's HTML, so that it can be read without JavaScript; later the element itself manages the attribute.
  const [openAtFirst] = useState(open)

  const isHydrated = useRef(false)
  const [closings, setClosings] = useState(0)

  function closed() {
    onClose()
    setClosings(closings + 1)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only `open` opens and closes it
  useEffect(() => {
    const dialog = element.current
    const wasClosedEarly = !isHydrated.current && openAtFirst && !dialog?.open
    isHydrated.current = true
    if (wasClosedEarly) {
      // The customer closed it before hydration.
      onClose()
    } else if (open && dialog && !dialog.matches(':modal')) {
      dialog.removeAttribute('open')
      dialog.showModal()
      dialog.querySelector<HTMLInputElement>(FIRST_FIELD)?.focus()
    } else if (!open && dialog?.open) {
      dialog.close()
    }
  }, [open, closings])

  return (
    <dialog ref={element} className="dialog" open={openAtFirst} aria-labelledby={titleId} onClose={closed}>
      <div className="flex max-h-[inherit] flex-col">
        <div className="flex items-start justify-between gap-4 px-5 pt-5 sm:px-6">
          <h2 id={titleId} className="section-title pt-2">
            {title}
          </h2>
          <form method="dialog">
            <button type="submit" aria-label={closeText} className="icon-button -mr-2">
              <Icon>
                <path d="M6 6l12 12M18 6L6 18" />
              </Icon>
            </button>
          </form>
        </div>
        {/* A scrolling region must be reachable by keyboard. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
        <section className="overflow-y-auto px-5 pt-2 pb-5 sm:px-6" tabIndex={0} aria-labelledby={titleId}>
          {children}
        </section>
        {footer && (
          <div className="flex flex-col-reverse gap-3 border-t border-line px-5 py-4 sm:flex-row sm:justify-end sm:px-6">
            {footer}
          </div>
        )}
      </div>
    </dialog>
  )
}
