import type { ErrorCode } from '#lib/contract/errors.ts'

export const p2pErrors = {
  p2p_order_not_found: 'This order does not exist.',
  p2p_order_over: 'This order is no longer open.',
  p2p_own_order: 'Action Denied. You cannot buy your own order.',
  p2p_seller_unavailable: 'You cannot buy from this seller at the moment.',
  p2p_orders_open: 'You have {most} open orders. Please cancel one of them first.',
  p2p_funds_missing: 'Insufficient funds in {currency}.',
  p2p_amount_small: 'The smallest amount is {least}.',
  p2p_fill_amount: 'Please enter an amount from {least} to {rest}. What is left must be at least {least}.',
  p2p_book_short:
    'The book has {amount} for you at the moment. Every order has a smallest part: please enter another amount, or come back later.',
  p2p_book_dear: 'The book has changed: {amount} cost {cost} now. Please look at it again.',
  p2p_price_invalid: 'Please enter a price above zero with at most 8 decimal places.',
  p2p_limit:
    'Your trades may differ from the reference price by at most {limit} a day in total. Please choose a price closer to it, or a smaller amount.',
  p2p_price_far: 'This price is more than 50% away from the reference price of {reference} USDC.',
  p2p_price_listed: 'Your whitelist is on: you can only trade within 5% of the reference price, which is {reference} USDC.'
} satisfies Partial<Record<ErrorCode, string>>
