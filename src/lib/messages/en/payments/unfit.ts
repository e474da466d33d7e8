/** A payment that does not fit its order, on the screen and by mail. */
import type { UnfitReason } from '#lib/domain/orders/order.ts'

export const unfitTexts = {
  status: 'Payment needs checking',
  title: (received: string, expected: string) =>
    received === expected ? `We received ${received}, and have to check it` : `We received ${received}, expected ${expected}`,
  reasons: {
    wrong_currency: 'The payment is not in euro.',
    order_already_paid: 'The order was paid already: this payment came on top.',
    quote_expired: 'The payment came after the last day of the order.',
    amount_too_low: 'The payment is less than the order costs.',
    amount_too_high: 'The payment is more than the order costs.',
    not_verified: 'Your identity check was not completed when the payment came.'
  } satisfies Record<UnfitReason, string>,
  kept: 'Your money is kept for you and credits nothing until this is clarified.',
  next: (until: string) => `We check it and write to you by ${until}.`,
  nothingToDo: 'Please do not send it again: there is nothing for you to do until then.',
  received: 'Received',
  expected: 'Expected',
  difference: 'Difference'
} as const
