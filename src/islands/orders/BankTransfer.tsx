import { memo, type ReactNode } from 'react'
import type { Order } from '#lib/contract/types.ts'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { formatEur } from '#lib/format/amount.ts'
import { formatDay } from '#lib/format/dates.ts'
import { previewTexts } from '#lib/messages/en/orders/preview.ts'
import { CopyText } from '../platform/CopyText.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'

type Props = { order: Order | undefined; error: string | undefined; onRetry: () => void }

type Line = { label: string; shown: ReactNode; copied: string }

function linesOf(order: Order): Line[] {
  const { bank } = order
  return [
    {
      label: previewTexts.youPayEuro,
      shown: <Amount value={formatEur(order.euroToPay)} className="text-2xl font-semibold" />,
      copied: order.euroToPay
    },
    {
      label: previewTexts.orderId,
      shown: <Amount value={groupReference(order.id)} className="text-lg font-semibold" />,
      copied: order.id
    },
    { label: previewTexts.accountHolder, shown: bank.accountHolder, copied: bank.accountHolder },
    {
      label: previewTexts.iban,
      shown: <span className="tabular-nums">{bank.euroIban}</span>,
      copied: bank.euroIban.replaceAll(' ', '')
    },
    { label: previewTexts.bic, shown: bank.swift, copied: bank.swift },
    { label: previewTexts.bankName, shown: bank.bankName, copied: bank.bankName },
    { label: previewTexts.bankAddress, shown: bank.bankAddress, copied: bank.bankAddress }
  ]
}

const WAITING = [
  previewTexts.youPayEuro,
  previewTexts.orderId,
  previewTexts.accountHolder,
  previewTexts.iban,
  previewTexts.bic,
  previewTexts.bankName,
  previewTexts.bankAddress
]

export const BankTransfer = memo(function BankTransfer({ order, error, onRetry }: Props) {
  return (
    <Card title={previewTexts.transferTitle} aria-busy={!order && !error}>
      {error ? (
        <div role="alert" className="mt-3">
          <p className="text-red">{previewTexts.noOrder(error)}</p>
          <Button look="quiet" className="mt-4" onClick={onRetry}>
            {previewTexts.tryAgain}
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
                    <span className={`skeleton ${label === previewTexts.youPayEuro ? 'h-8 w-36' : 'w-44'}`}>…</span>
                  </Row>
                ))}
          </dl>
          <p className="note mt-4 bg-gold-tint text-gold">
            {previewTexts.beAccurate}
            {order && ` ${previewTexts.arriveBy(formatDay(order.payableUntil))}`}
          </p>
        </>
      )}
    </Card>
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
