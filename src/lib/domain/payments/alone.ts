/** Whether one person may assign a payment alone. Source: decision 0045. */
import { compareNames } from './names.ts'

/** Why a second person must agree. */
export type SecondPersonReason = 'not_exact' | 'other_name' | 'other_order' | 'above_sum' | 'several'

type Assigned = {
  amountCents: bigint[]
  euroCentsToPay: bigint
  payerNames: string[]
  verifiedName: string
  namesAnother: boolean
  aboveCents: bigint
}

/** Undefined if one person is enough: one payment, exact to the cent, by the customer themselves, and not above the sum. */
export function secondPersonFor({
  amountCents,
  euroCentsToPay,
  payerNames,
  verifiedName,
  namesAnother,
  aboveCents
}: Assigned): SecondPersonReason | undefined {
  if (amountCents.length > 1) return 'several'
  if (amountCents[0] !== euroCentsToPay) return 'not_exact'
  if (euroCentsToPay > aboveCents) return 'above_sum'
  if (namesAnother) return 'other_order'
  return compareNames(payerNames[0] ?? '', verifiedName) === 'same' ? undefined : 'other_name'
}
