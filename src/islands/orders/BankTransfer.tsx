import { memo, type ReactNode } from 'react'
import type { Order } from '#lib/contract/types.ts'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { formatEur } from '#lib/format/amount.ts'
import { formatDay } from '#lib/format/dates.ts'
import { CopyText } from '../platform/CopyText.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'

type Props = { order: Order | undefined; error: string | undefined; onRetry: () => void }

type Line = { label: string; shown: ReactNode; copied: string }

function linesOf(order: Order): Line[] {
  const { bank } = order
  return [
    {
      label: 'You Pay EURO',
      shown: <Amount value={formatEur(order.euroToPay)} className="text-2xl font-semibold" />,
      copied: order.euroToPay
    },
    { label: 'Order ID', shown: <Amount value={groupReference(order.id)} className="text-lg font-semibold" />, copied: order.id },
    { label: 'Account holder', shown: bank.accountHolder, copied: bank.accountHolder },
    {
      label: 'EURO IBAN',
      shown: <span className="tabular-nums">{bank.euroIban}</span>,
      copied: bank.euroIban.replaceAll(' ', '')
    },
    { label: 'BIC/SWIFT', shown: bank.swift, copied: bank.swift },
    { label: 'Bank name', shown: bank.bankName, copied: bank.bankName },
    { label: 'Bank address', shown: bank.bankAddress, copied: bank.bankAddress }
  ]
}

const WAITING = ['You Pay EURO', 'Order ID', 'Account holder', 'EURO IBAN', 'BIC/SWIFT', 'Bank name', 'Bank address']

export const BankTransfer = memo(function BankTransfer({ order, error, onRetry }: Props) {
  return (
    <section className="card p-5 sm:p-7" aria-busy={!order && !error}>
      <h2 className="section-title mb-1">Bank transfer details</h2>
      {error ? (
        <div role="alert" className="mt-3">
          <p className="text-red">We could not make your order: {error}</p>
          <Button look="quiet" className="mt-4" onClick={onRetry}>
            Try again
          </Button>
        </div>
      ) : (
        <>
          <dl className="divide-y divide-line">
            {order
              ? linesOf(order).map(({ label, shown, copied }) => (
                  <Row key={label} label={label} action={<CopyText text={copied} label={label} />}>
                    {shown}
                  </Row>
                ))
              : WAITING.map((label) => (
                  <Row key={label} label={label}>
                    <span className={`skeleton ${label === 'You Pay EURO' ? 'h-8 w-36' : 'w-44'}`}>…</span>
                  </Row>
                ))}
          </dl>
          <p className="note mt-4 bg-gold-tint text-gold">
            Please ensure that the information is accurate: transfer exactly this amount and give the Order ID as the reference,
            so that your payment finds its order.
            {order && ` It must arrive by ${formatDay(order.payableUntil)}.`}
          </p>
        </>
      )}
    </section>
  )
})

function Row({ label, action, children }: { label: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div className="relative min-h-15 py-2 pr-12">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="font-medium">
        {children}
        <span className="absolute inset-y-0 right-0 flex items-center">{action}</span>
      </dd>
    </div>
  )
}
