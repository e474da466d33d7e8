import type { ReactNode } from 'react'
import type { Order } from '#lib/contract/types.ts'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { payTexts } from '#lib/messages/en/orders/pay.ts'
import { previewTexts } from '#lib/messages/en/orders/preview.ts'
import { CopyText } from '../platform/CopyText.tsx'
import { Amount } from '../ui/Amount.tsx'

type Line = { label: string; shown: ReactNode; copied: string }

/** What a bank transfer needs; the amount stands apart on the screen. */
export function linesOf({ bank, id, euroToPay }: Order): Line[] {
  return [
    { label: previewTexts.youPayEuro, shown: undefined, copied: euroToPay },
    { label: payTexts.orderId, shown: <Amount value={groupReference(id)} className="text-lg font-semibold" />, copied: id },
    { label: payTexts.accountHolder, shown: bank.accountHolder, copied: bank.accountHolder },
    {
      label: payTexts.iban,
      shown: <span className="text-lg font-semibold tabular-nums">{bank.euroIban}</span>,
      copied: bank.euroIban.replaceAll(' ', '')
    },
    { label: payTexts.bic, shown: bank.swift, copied: bank.swift },
    { label: payTexts.bankName, shown: bank.bankName, copied: bank.bankName },
    { label: payTexts.bankAddress, shown: bank.bankAddress, copied: bank.bankAddress }
  ]
}

export function TransferDetails({ order }: { order: Order }) {
  return (
    <dl className="divide-y divide-line">
      {linesOf(order)
        .filter(({ shown }) => shown !== undefined)
        .map(({ label, shown, copied }) => (
          <div key={label} className="relative min-h-15 py-2 pr-12">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="font-medium">
              {shown}
              <span className="absolute inset-y-0 right-0 flex items-center">
                <CopyText text={copied} label={label} />
              </span>
            </dd>
          </div>
        ))}
    </dl>
  )
}
