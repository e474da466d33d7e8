import { useStore } from '@nanostores/react'
import { type RefObject, useDeferredValue, useEffect, useRef, useState } from 'react'
import { createPreview, mayDeclare, TERMS, type Term } from '#lib/client/orders/preview.ts'
import type { ComboPreview, Order } from '#lib/contract/types.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { previewTexts } from '#lib/messages/en/orders/preview.ts'
import { Notices } from '../platform/Notices.tsx'
import { useReturn } from '../platform/useReturn.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { BankTransfer } from './BankTransfer.tsx'
import { Figures } from './Figures.tsx'

type Props = {
  preview: ComboPreview
  order: Order | undefined
  /** Id of the package in the list that led here: its card turns into this page's figures. */
  morph: number
}

const TERM_LABELS: Record<Term, { label: string; page: string }> = {
  crypto: { label: previewTexts.terms.crypto, page: 'crypto-asset-terms' },
  custody: { label: previewTexts.terms.custody, page: 'custody-terms' },
  staking: { label: previewTexts.terms.staking, page: 'staking-program-terms' }
}

/** Keeps the order in the URL, so that a reload or Back shows the same one. */
function keepInAddress(order: Order): void {
  const url = new URL(window.location.href)
  url.searchParams.set('order', order.id)
  window.history.replaceState(window.history.state, '', url)
}

export function Preview({ preview, order: first, morph }: Props) {
  const [screen] = useState(() => createPreview(preview.comboConfigId, first, keepInAddress))
  const state = useStore(screen.state)
  const { orderError, ticked, busy, error: declareError, declared } = state
  // Deferred, because the order redraws half the page and a tap meanwhile must not wait.
  const order = useDeferredValue(state.order)

  const statusHeading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    void screen.load()
  }, [screen])
  useReturn(screen.follow)

  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Figures preview={preview} order={order} morph={morph} />
      <div className="grid gap-6">
        <BankTransfer order={order} error={orderError} onRetry={screen.load} />
        {order && order.status !== ORDER_STATUS.pending ? (
          <AlreadyConfirmed order={order} heading={statusHeading} />
        ) : (
          <Card title={previewTexts.agreement}>
            <fieldset className="grid gap-1">
              <legend className="mb-2 text-muted">{previewTexts.acceptAll}</legend>
              {TERMS.map((term) => (
                <TermsCheckbox key={term} term={term} ticked={ticked[term]} onTick={(value) => screen.tick(term, value)} />
              ))}
            </fieldset>
            <Button
              className="mt-5 w-full"
              busy={busy !== undefined}
              busyLabel={previewTexts.processing}
              disabled={!mayDeclare(state)}
              onClick={() => void screen.declarePaid()}
            >
              {previewTexts.confirm}
            </Button>
            <p className="mt-3 text-sm text-muted">{previewTexts.confirmAbout}</p>
            <div aria-live="assertive">
              {declareError && (
                <p className="mt-3 text-sm text-red">
                  {declareError} {previewTexts.pressAgain}
                </p>
              )}
            </div>
          </Card>
        )}
      </div>
      <Dialog
        title={previewTexts.confirmedTitle}
        open={declared}
        onClose={() => {
          screen.dismiss()
          // The button that opened the dialog is gone: focus the heading that replaced it.
          statusHeading.current?.focus()
        }}
        footer={
          <>
            <a className="button button-quiet" href="/dashboard">
              {previewTexts.toDashboard}
            </a>
            <a className="button button-primary" href={`/package-history?tab=order&order=${order?.id ?? ''}`}>
              {previewTexts.viewOrder}
            </a>
          </>
        }
      >
        <p className="text-muted">{previewTexts.confirmedAbout}</p>
      </Dialog>
      <p role="status" className="sr-only">
        {order?.status === ORDER_STATUS.completed && previewTexts.arrived}
      </p>
      <Notices />
    </div>
  )
}

function AlreadyConfirmed({ order, heading }: { order: Order; heading: RefObject<HTMLHeadingElement | null> }) {
  const isCompleted = order.status === ORDER_STATUS.completed
  return (
    <Card titleRef={heading} title={isCompleted ? previewTexts.completedTitle : previewTexts.onItsWayTitle}>
      <p className="text-muted">{isCompleted ? previewTexts.completedAbout : previewTexts.onItsWayAbout}</p>
      <a className="button button-primary mt-5 w-full" href={`/package-history?tab=order&order=${order.id}`}>
        {previewTexts.seeOrder}
      </a>
    </Card>
  )
}

function TermsCheckbox({ term, ticked, onTick }: { term: Term; ticked: boolean; onTick: (value: boolean) => void }) {
  const { label, page } = TERM_LABELS[term]
  const box = useRef<HTMLInputElement>(null)

  // Take over boxes that were ticked before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, at hydration
  useEffect(() => {
    if (box.current?.checked) onTick(true)
  }, [])

  return (
    <div className="flex items-center gap-1">
      <label className="flex min-h-11 flex-1 items-center gap-3">
        <input
          ref={box}
          type="checkbox"
          name={term}
          checked={ticked}
          onChange={(event) => onTick(event.target.checked)}
          className="check"
        />
        <span>{previewTexts.accept(label)}</span>
      </label>
      <a
        className="link inline-flex min-h-11 items-center px-1"
        href={`/legal/${page}`}
        target="_blank"
        rel="noopener"
        aria-label={previewTexts.readTerms(label)}
        onClick={(event) => {
          const dialog = document.getElementById(`terms-${page}`)
          if (!(dialog instanceof HTMLDialogElement)) return
          event.preventDefault()
          dialog.showModal()
        }}
      >
        {previewTexts.read}
      </a>
    </div>
  )
}
