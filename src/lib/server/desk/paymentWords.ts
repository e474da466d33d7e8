/** Why a decision about a payment is refused, as staff read it. */
import type { SecondPersonReason } from '#lib/domain/payments/alone.ts'
import type { DecisionRefusal } from '../payments/index.ts'

const REFUSALS: Record<DecisionRefusal, string> = {
  payment_not_found: 'There is no such payment that fits no order.',
  already_decided: 'This payment is decided already.',
  sent_back: 'The bank has sent this payment back already.',
  recall_accepted: "The payer's bank was told that it gets this payment back: it goes to the account that it came from.",
  account_needed: 'It is a refund that came back: name another account, with a document.',
  same_twice: 'The same payment is named twice.',
  nothing_missing: 'The payment is not less than the order costs.',
  not_their_payment: 'Neither its reference nor its name is that of this customer.',
  not_possible: 'It could not be carried out for a day. The log says why.',
  recalled: "The payer's bank asks for this payment back: answer the recall first.",
  order_not_found: 'There is no such order.',
  order_changed: 'The order is not what was sold: its row was changed.',
  too_much_together: 'Together they are more than the order costs: assign fewer, and refund the rest.',
  second_person: 'Two persons decide this.',
  wrong_currency: 'The payment is not in EUR.',
  order_not_open: 'The order is completed already.',
  too_little: 'The payment is more than 2% short of the order.',
  screening: 'A name behind this payment is under review: compliance decides first.',
  screening_waits: "The payer's name is not looked up yet, or by an old list only. Try again in a minute.",
  not_verified: "The customer's identity check is not completed."
}
export const paymentRefusal = (reason: string) => REFUSALS[reason as DecisionRefusal] ?? reason

const SECOND: Record<SecondPersonReason, string> = {
  not_exact: 'the payment is not what the order costs.',
  other_name: 'the payer is not the customer by the name of their identity check.',
  other_order: 'the payment names another order.',
  above_sum: 'the order is above the sum that one person decides.',
  several: 'several payments pay one order.'
}
export const secondPersonText = (reason: SecondPersonReason) => SECOND[reason]
