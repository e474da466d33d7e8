import type { ErrorCode } from '#lib/contract/errors.ts'

export const ordersErrors = {
  promo_invalid: 'Promo code is not exist',
  package_not_found: 'This package does not exist.',
  order_not_found: 'This order does not exist.',
  package_not_on_sale: 'This package is not on sale at the moment.',
  promo_needed: 'You need a promo code for this package. Please enter it first.',
  order_cancelled: 'This order was cancelled. Please choose the package again.',
  order_not_cancellable: 'This order can no longer be cancelled.'
} satisfies Partial<Record<ErrorCode, string>>
