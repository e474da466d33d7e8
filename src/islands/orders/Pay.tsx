import { useStore } from '@nanostores/react'
import { type RefObject, useEffect, useState } from 'react'
import { type createPreview, mayDeclare, TERMS } from '#lib/client/orders/preview.ts'
import { drawQr } from '#lib/client/platform/qr.ts'
import type { Order } from '#lib/contract/types.ts'
import { epcText } from '#lib/domain/orders/epc.ts'
import { mayCancel } from '#lib/domain/orders/order.ts'
import { formatEur } from '#lib/format/amount.ts'
import { formatDay, formatMoment } from '#lib/format/dates.ts'
import type { View } from '#lib/format/view.ts'
import { payTexts } from '#messages/orders/pay.ts'
import { previewTexts } from '#messages/orders/preview.ts'
import { CopyText } from '../platform/CopyText.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { linesOf, TransferDetails } from './TransferDetails.tsx'

type Screen = ReturnType<typeof createPreview>
type Props = { order: Order; screen: Screen; heading: RefObject<HTMLHeadingElement | null>; view: View }

/** The bank transfer: the amount, then the bank details, then the button to declare it made. */
export default function Pay({ order, screen, heading, view: { timeZone } }: Props) {
  const state = useStore(screen.state)
  const { busy, error } = state
  const acceptedAt = order.termsAcceptedAt
  const [asksToCancel, setAsksToCancel] = useState(false)
  const [qr, setQr] = useState<string>()
  // A phone cannot scan its own screen, so on phones the QR code is folded away.
  const [showsQr] = useState(() => window.matchMedia('(min-width: 64rem)').matches)
  const { bank, euroToPay, id } = order
  useEffect(() => {
    setQr(drawQr(epcText({ bic: bank.swift, name: bank.accountHolder, iban: bank.euroIban, euro: euroToPay, reference: id })))
  }, [bank, euroToPay, id])
  const all = linesOf(order)
    .map(({ label, copied }) => `${label}: ${copied}`)
    .join('\n')

  return (
    <section className="card" aria-labelledby="pay">
      <div className="hero -m-px rounded-b-none p-5 sm:p-7">
        <h2 id="pay" ref={heading} tabIndex={-1} className="text-hero-muted">
          {previewTexts.youPayEuro}
        </h2>
        <p className="flex items-center gap-3">
          <span className="figure text-figure font-semibold">{formatEur(euroToPay)}</span>
          <CopyText text={euroToPay} label={previewTexts.youPayEuro} />
        </p>
        <p className="mt-2 text-sm text-hero-muted">{payTexts.exactly(formatDay(order.payableUntil, timeZone))}</p>
      </div>
      <div className="pay-qr roomy">
        <div>
          <div>
            <h3 className="flex flex-wrap items-center justify-between gap-x-4 font-semibold">
              {payTexts.transferTitle}
              <CopyText text={all} label={payTexts.allDetails} word={payTexts.copyAll} />
            </h3>
            <TransferDetails order={order} />
          </div>
          <details open={showsQr}>
            <summary className="min-h-11 content-center font-medium">{payTexts.qr}</summary>
            {qr && <img src={qr} alt={payTexts.qrAlt(formatEur(euroToPay))} width="176" height="176" />}
            <p className="mt-2 text-sm text-muted">{payTexts.qrAbout}</p>
          </details>
        </div>
        <p className="note mt-4 bg-gold-tint text-gold">{payTexts.beAccurate}</p>
        <p className="mt-5 border-t border-line pt-5">
          <b className="font-semibold">{payTexts.madeIt}</b> {payTexts.confirmAbout}
        </p>
        <Button
          className="mt-4 w-full"
          busy={busy === 'submit'}
          busyLabel={payTexts.processing}
          disabled={!mayDeclare(state)}
          onClick={() => void screen.declarePaid()}
        >
          {payTexts.confirm}
        </Button>
        <div aria-live="assertive">
          {error && !asksToCancel && (
            <p className="mt-3 text-sm text-red">
              {error} {payTexts.pressAgain}
            </p>
          )}
        </div>
        {acceptedAt && (
          <p className="mt-4 text-sm text-muted">
            {payTexts.accepted(TERMS.map((term) => previewTexts.terms[term]).join(', '), formatMoment(acceptedAt, timeZone))}
          </p>
        )}
        <p className="mt-2 flex flex-wrap justify-between gap-x-6">
          <button type="button" className="link min-h-11" onClick={() => screen.goToStep('review')}>
            {previewTexts.backToReview}
          </button>
          {mayCancel(order) && (
            <button type="button" className="link min-h-11 text-red" onClick={() => setAsksToCancel(true)}>
              {payTexts.cancel}
            </button>
          )}
        </p>
      </div>
      <Dialog
        title={payTexts.cancelTitle}
        open={asksToCancel}
        onClose={() => setAsksToCancel(false)}
        footer={
          <>
            <Button look="quiet" onClick={() => setAsksToCancel(false)}>
              {payTexts.keepOrder}
            </Button>
            <Button
              busy={busy === 'cancelling' || busy === 'leaving'}
              busyLabel={payTexts.processing}
              onClick={() => void screen.cancel()}
            >
              {payTexts.cancel}
            </Button>
          </>
        }
      >
        <p className="text-muted">{payTexts.cancelAbout}</p>
        <div role="alert">{error && <p className="mt-3 text-red">{error}</p>}</div>
      </Dialog>
    </section>
  )
}
