import { useStore } from '@nanostores/react'
import { type ReactNode, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import {
  createPreview,
  mayDeclare,
  type ShownTerms,
  STEPS,
  type Step,
  stepOf,
  TERMS,
  type Term
} from '#lib/client/orders/preview.ts'
import { loadChunk } from '#lib/client/platform/loadChunk.ts'
import type { ComboPreview, Order } from '#lib/contract/types.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { formatEur } from '#lib/format/amount.ts'
import type { View } from '#lib/format/view.ts'
import { previewTexts } from '#messages/orders/preview.ts'
import { lazyPart } from '../platform/lazyPart.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useFollow } from '../platform/useFollow.ts'
import { useReturn } from '../platform/useReturn.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Figures } from './Figures.tsx'
import { Waiting } from './Waiting.tsx'

const FOLLOW_MS = 10_000
const Pay = lazyPart(() => import('./Pay.tsx'))

type Props = { preview: ComboPreview; order: Order | undefined; terms: ShownTerms; view: View; children?: ReactNode }

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

export function Preview({ preview, order: first, terms, view, children }: Props) {
  const [screen] = useState(() => createPreview(preview.comboConfigId, first, terms, keepInAddress))
  const state = useStore(screen.state)
  // Deferred: the order redraws half the page, and a tap at that moment must not wait.
  const order = useDeferredValue(state.order)
  const step = stepOf({ order, step: state.step })
  const heading = useRef<HTMLHeadingElement>(null)
  const shownStep = useRef<Step>(step)

  useEffect(() => {
    void screen.load()
  }, [screen])
  useReturn(screen.follow)
  // The payment may arrive while the page is open.
  useFollow(screen.follow, order !== undefined && order.status !== ORDER_STATUS.completed, FOLLOW_MS)
  // The button that led to this step is gone, so the focus moves to the new step's heading.
  useEffect(() => {
    if (shownStep.current === step) return
    shownStep.current = step
    if (!screen.state.get().declared) heading.current?.focus()
    window.scrollTo({ top: 0 })
  }, [step, screen])

  return (
    <>
      <Stepper step={step} isCompleted={order?.status === ORDER_STATUS.completed} />
      <div className="pay-columns">
        <div className="grid gap-5 *:min-w-0">
          {step === 'review' && (
            <Review state={state} preview={preview} onRetry={screen.load} onNext={() => screen.goToStep('accept')} />
          )}
          {step === 'accept' && (
            <Card titleRef={heading} title={previewTexts.agreement}>
              <fieldset className="grid gap-1">
                <legend className="mb-2 text-muted">{previewTexts.acceptAll}</legend>
                {TERMS.map((term) => (
                  <TermsCheckbox
                    key={term}
                    term={term}
                    ticked={state.ticked[term]}
                    onTick={(value) => screen.tick(term, value)}
                  />
                ))}
              </fieldset>
              {state.error && (
                <p role="alert" className="mt-4 text-red">
                  {state.error}
                </p>
              )}
              <Button
                className="mt-5 w-full"
                disabled={!mayDeclare(state)}
                busy={state.busy !== undefined}
                onClick={screen.accept}
              >
                {previewTexts.toPayment}
              </Button>
              <Button look="quiet" className="mt-3 w-full" onClick={() => screen.goToStep('review')}>
                {previewTexts.backToReview}
              </Button>
            </Card>
          )}
          {step === 'pay' && order && (
            <Suspense fallback={<span className="skeleton h-96 w-full" />}>
              <Pay order={order} screen={screen} heading={heading} view={view} />
            </Suspense>
          )}
          {step === 'waiting' && order && <Waiting order={order} heading={heading} view={view} />}
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Figures preview={preview} order={order} view={view} />
          {children}
        </div>
      </div>
      <Dialog
        title={previewTexts.confirmedTitle}
        open={state.declared}
        onClose={() => {
          screen.dismiss()
          heading.current?.focus()
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
      <ToastRegion />
    </>
  )
}

function Stepper({ step, isCompleted }: { step: Step; isCompleted: boolean }) {
  const now = STEPS.indexOf(step)
  return (
    <ol className="stepper" aria-label={previewTexts.stepsLabel}>
      {STEPS.map((one, index) => (
        <li
          key={one}
          data-number={index + 1}
          data-done={index < now || isCompleted ? '' : undefined}
          aria-current={index === now ? 'step' : undefined}
        >
          {previewTexts.steps[one]}
        </li>
      ))}
    </ol>
  )
}

type ReviewProps = {
  state: { order: Order | undefined; orderError: string | undefined }
  preview: ComboPreview
  onRetry: () => void
  onNext: () => void
}

/** The package and its cost, before the customer accepts anything. */
function Review({ state: { order, orderError }, preview, onRetry, onNext }: ReviewProps) {
  return (
    <section className="hero p-6 sm:p-8" aria-labelledby="review" aria-busy={!order && !orderError}>
      <h2 id="review" className="text-hero-muted">
        {previewTexts.youPayEuro}
      </h2>
      <p className="figure text-figure font-semibold">
        {order ? (
          formatEur(order.euroToPay)
        ) : (
          <span className="skeleton text-transparent" aria-hidden="true">
            €0,000.00
          </span>
        )}
      </p>
      <p className="mt-3 text-hero-muted">{previewTexts.reviewAbout(preview.name)}</p>
      {orderError ? (
        <div role="alert" className="mt-5">
          <p>{orderError}</p>
          <Button look="on-hero" className="mt-4" onClick={onRetry}>
            {previewTexts.tryAgain}
          </Button>
        </div>
      ) : (
        <Button look="on-hero" className="mt-6 w-full" disabled={!order} onClick={onNext}>
          {previewTexts.toAccept}
        </Button>
      )}
    </section>
  )
}

function TermsCheckbox({ term, ticked, onTick }: { term: Term; ticked: boolean; onTick: (value: boolean) => void }) {
  const { label, page } = TERM_LABELS[term]
  return (
    <div className="flex items-center gap-1">
      <label className="flex min-h-11 flex-1 items-center gap-3">
        <input
          type="checkbox"
          name={term}
          checked={ticked}
          onChange={(event) => onTick(event.target.checked)}
          className="check"
        />
        <span>{previewTexts.accept(label)}</span>
      </label>
      <ReadTerms label={label} page={page} />
    </div>
  )
}

function ReadTerms({ label, page }: { label: string; page: string }) {
  return (
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
        const { href } = event.currentTarget
        void loadChunk(() => import('#lib/client/orders/terms.ts'))
          .then(({ openTerms }) => openTerms(href, dialog))
          .catch(() => false)
          .then((isOpen) => {
            if (!isOpen) window.open(href, '_blank', 'noopener')
          })
      }}
    >
      {previewTexts.read}
    </a>
  )
}
