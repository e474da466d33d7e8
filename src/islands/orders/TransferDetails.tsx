import type { Order } from '#lib/contract/types.ts'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { payTexts } from '#messages/orders/pay.ts'
import { previewTexts } from '#messages/orders/preview.ts'
import { type CopyLine, CopyLines } from '../platform/CopyLines.tsx'
import { Amount } from '../ui/Amount.tsx'

/** The details of a bank transfer, to copy; the screen shows the amount separately. */
export function linesOf({ bank, id, euroToPay }: Order): CopyLine[] {
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
  return <CopyLines lines={linesOf(order).filter(({ shown }) => shown !== undefined)} />
}
