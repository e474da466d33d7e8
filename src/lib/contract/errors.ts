/** Every error code of the API with its status. A code is stable: it is what a client matches, never the sentence. */

export const errorStatus = {
  invalid_json: 400,
  invalid_request: 400,
  idempotency_key_required: 400,
  otp_invalid: 400,
  code_invalid: 400,
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
  link_invalid: 400,
  not_found: 404,
  package_not_found: 404,
  order_not_found: 404,
  method_not_allowed: 405,
  session_not_found: 404,
  passkey_not_found: 404,
  package_not_on_sale: 409,
  totp_not_started: 409,
  totp_not_enabled: 409,
  kyc_completed: 409,
  idempotency_key_reused: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_fields: 422,
  amount_invalid: 422,
  currency_unsupported: 422,
  insufficient_spot: 422,
  insufficient_funding: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503
} as const

export type ErrorCode = keyof typeof errorStatus

/** The body of every failure. `fields` holds a sentence for each field that is wrong. */
export type Failure = {
  statusCode: number
  code: ErrorCode
  message: string
  retryAfterSeconds?: number
  /** With `second_factor_required`: what the second factor is sent with. */
  ticket?: string
  fields?: Record<string, string>
  requestId?: string
}
