/** Every error code of the API with its HTTP status. Codes are stable: clients match them, never the sentence. */
import type { FieldError } from '../domain/fields.ts'

export const errorStatus = {
  invalid_json: 400,
  invalid_request: 400,
  otp_invalid: 400,
  code_invalid: 400,
  promo_invalid: 400,
  too_soon: 400,
  unauthorized: 401,
  refresh_token_invalid: 401,
  credentials_invalid: 401,
  second_factor_required: 401,
  second_factor_invalid: 400,
  ticket_invalid: 401,
  passkey_invalid: 401,
  signature_invalid: 401,
  confirmation_required: 403,
  kyc_required: 403,
  account_locked: 403,
  withdrawals_held: 403,
  withdrawals_resting: 403,
  deposit_details_required: 403,
  link_invalid: 400,
  not_found: 404,
  package_not_found: 404,
  receipt_not_found: 404,
  news_not_found: 404,
  order_not_found: 404,
  withdrawal_not_found: 404,
  deposit_not_found: 404,
  p2p_order_not_found: 404,
  address_not_found: 404,
  method_not_allowed: 405,
  session_not_found: 404,
  passkey_not_found: 404,
  package_not_on_sale: 409,
  promo_needed: 403,
  order_cancelled: 409,
  terms_changed: 409,
  order_not_cancellable: 409,
  totp_not_started: 409,
  totp_not_enabled: 409,
  kyc_completed: 409,
  addresses_used_up: 409,
  withdrawal_not_cancellable: 409,
  withdrawal_cancel_asked: 409,
  withdrawals_open: 409,
  p2p_order_over: 409,
  p2p_own_order: 409,
  p2p_seller_unavailable: 409,
  p2p_book_short: 409,
  p2p_book_dear: 409,
  p2p_orders_open: 409,
  limit_asked: 409,
  limit_refused: 409,
  idempotency_key_reused: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_fields: 422,
  password_guessable: 422,
  amount_invalid: 422,
  currency_unsupported: 422,
  withdrawal_too_small: 422,
  withdrawal_limit: 422,
  limit_too_low: 422,
  limit_too_high: 422,
  insufficient_balance: 422,
  insufficient_spot: 422,
  insufficient_funding: 422,
  insufficient_reward: 422,
  reward_resting: 422,
  p2p_funds_missing: 422,
  p2p_amount_small: 422,
  p2p_fill_amount: 422,
  p2p_price_invalid: 422,
  p2p_price_far: 422,
  p2p_price_listed: 422,
  p2p_limit: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  outcome_unknown: 503
} as const

export type ErrorCode = keyof typeof errorStatus

/** Values that complete a sentence, e.g. the figure of a limit. */
export type ErrorParams = Record<string, string | number>

/** The body of every failure. The view makes its sentence from `code`, `params` and `fields`; `message` is the English sentence. */
export type Failure = {
  statusCode: number
  code: ErrorCode
  message: string
  params?: ErrorParams
  retryAfterSeconds?: number
  /** With `outcome_unknown`, for a call without an Idempotency-Key: the call that shows whether it was done. */
  lookAt?: string
  /** With `second_factor_required`: must be sent together with the second factor. */
  ticket?: string
  /** The error code of each wrong field. */
  fields?: Record<string, FieldError>
  requestId?: string
}

/** A refused call, for callers in the same process. Matched by name: the pages' bundle has its own copy of the class. */
export class CallFailed extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.name = 'CallFailed'
    this.failure = failure
  }
}

export function isCallFailed(error: unknown): error is CallFailed {
  return error instanceof Error && error.name === 'CallFailed'
}
