/** The sentence of every error code, for the API. Source: spec section 8; sentences beyond it are ours. */

import type { ErrorCode, ErrorParams } from '#lib/contract/errors.ts'
import { identityTexts } from '../identity/identity.ts'
import { identityPageTexts } from '../identity/identityPage.ts'
import { legalTexts } from '../legal/legal.ts'
import { newsTexts } from '../news/news.ts'

const errorMessages: Record<ErrorCode, string> = {
  invalid_json: 'The request is not valid JSON.',
  invalid_request: 'The request could not be read.',
  otp_invalid: 'OTP invalid or expired.',
  code_invalid: 'The code is invalid or expired. Please request a new one.',
  promo_invalid: 'Promo code is not exist',
  too_soon: 'Please wait before requesting another code.',
  unauthorized: 'Please sign in again.',
  refresh_token_invalid: 'Your session has ended. Please sign in again.',
  credentials_invalid: 'Your email or password is incorrect. Please try again.',
  second_factor_required: 'Enter the code of your authenticator app.',
  second_factor_invalid: 'This code is wrong or was used before. Please wait for the next one.',
  ticket_invalid: 'That took too long, or too many codes were wrong. Please sign in again.',
  passkey_invalid: 'This passkey could not be used. Please sign in another way.',
  signature_invalid: 'The signature is not valid.',
  confirmation_required: 'Please confirm that it is you.',
  account_locked: 'Your account is locked. Please set a new password first.',
  kyc_required: identityPageTexts.required,
  link_invalid: 'This link is no longer valid.',
  session_not_found: 'This session has already ended.',
  passkey_not_found: 'This passkey no longer exists.',
  totp_not_started: 'Please scan the code with your authenticator app first.',
  totp_not_enabled: 'There is no authenticator app on your account.',
  kyc_completed: identityTexts.verified,
  not_found: 'There is nothing at this address.',
  package_not_found: 'This package does not exist.',
  news_not_found: newsTexts.notFound,
  receipt_not_found: 'There is no receipt with this code.',
  order_not_found: 'This order does not exist.',
  deposit_not_found: 'This deposit does not exist.',
  withdrawal_not_found: 'This withdrawal does not exist.',
  withdrawal_not_cancellable: 'This withdrawal can no longer be cancelled.',
  withdrawals_open: 'You have {most} withdrawals under way. Please wait until one of them is done.',
  withdrawals_held: 'Withdrawals and trades wait until we have looked at your account. We write to you.',
  withdrawals_resting: 'Withdrawals and trades rest for 24 hours after a change to the security of your account.',
  deposit_details_required: 'Please tell us first who sent your deposit above EUR 1,000.',
  withdrawal_too_small: 'The smallest withdrawal is {least}: the fee is {fee}.',
  withdrawal_limit: 'You can withdraw {left} more within 24 hours. Your limit is {limit}.',
  address_not_found: 'This address is not in your address book.',
  p2p_order_not_found: 'This order does not exist.',
  p2p_order_over: 'This order is no longer open.',
  p2p_own_order: 'Action Denied. You cannot buy your own order.',
  p2p_seller_unavailable: 'Nothing can be bought from this seller at the moment.',
  p2p_orders_open: 'You have {most} open orders. Please cancel one of them first.',
  p2p_funds_missing: 'Insufficient funds in {currency}.',
  p2p_amount_small: 'The smallest amount is {least}.',
  p2p_fill_amount: 'Please enter an amount from {least} to {rest}. What remains must not be less than {least}.',
  p2p_price_invalid: 'Please enter a price above zero with at most 8 decimal places.',
  p2p_limit:
    'What you trade away from the reference price may come to {limit} a day at most. Please choose a price nearer to it, or a smaller amount.',
  p2p_price_far: 'This price is more than 50% away from the reference price of {reference} USDC.',
  method_not_allowed: 'This address does not take this method.',
  package_not_on_sale: 'This package is not on sale at the moment.',
  promo_needed: 'This package opens with a promo code. Please enter it first.',
  terms_changed: legalTexts.changedMeanwhile,
  order_cancelled: 'This order was cancelled. Please choose the package again.',
  order_not_cancellable: 'This order can no longer be cancelled.',
  addresses_used_up: 'You have {most} addresses already. Please use one of them: all of them stay yours.',
  idempotency_key_reused: 'This Idempotency-Key was already used for another request.',
  body_too_large: 'The request is too large.',
  unsupported_media_type: 'Send the request as application/json.',
  invalid_fields: 'Please correct the form errors.',
  amount_invalid: 'Please enter a valid amount greater than zero.',
  currency_unsupported: 'Unsupported Token',
  insufficient_balance: 'Insufficient Balance',
  insufficient_spot: 'Insufficient Balance',
  insufficient_funding: 'Insufficient Funding Balance',
  insufficient_reward: 'Insufficient Rewards Balance',
  too_many_requests: 'Too many attempts. Please wait before trying again.',
  internal: 'An unexpected error occurred.',
  unavailable: 'The service is not available at the moment. Please try again.'
}

/** The sentence of an error; `params` replace the names in braces. */
export function errorSentence(code: ErrorCode, params: ErrorParams = {}): string {
  return errorMessages[code].replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
}
