/** A payment that does not fit its order, on the screen and by mail. */
import type { UnfitReason } from '#lib/domain/orders/order.ts'

export const unfitTexts = {
  status: 'Payment under review',
  title: (received: string, expected: string) =>
    received === expected ? `We received ${received} and need to check it` : `We received ${received}, but expected ${expected}`,
  reasons: {
    wrong_currency: 'The payment is not in euro.',
    order_already_paid: 'The order was already paid: this is an extra payment.',
    quote_expired: 'The payment arrived after the last day of the order.',
    amount_too_low: 'The payment is less than the order costs.',
    amount_too_high: 'The payment is more than the order costs.',
    not_verified: 'Your identity check was not complete when the payment arrived.',
    in_review: 'We check the payment first.'
  } satisfies Record<UnfitReason, string>,
  kept: 'Your money is kept for you, but not credited until this is resolved.',
  next: (until: string) => `We will check it and email you by ${until}.`,
  nothingToDo: 'Please do not send it again: there is nothing for you to do until then.',
  received: 'Received',
  expected: 'Expected',
  difference: 'Difference'
} as const
