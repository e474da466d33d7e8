/** The sentence of every error code. Source: spec section 8; sentences beyond it are ours. */

import type { ErrorCode, ErrorParams } from '#lib/contract/errors.ts'
import type { FieldError } from '#lib/domain/fields.ts'
import { identityTexts } from './identity.ts'

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
  kyc_required: identityTexts.required,
  link_invalid: 'This link is no longer valid.',
  session_not_found: 'This session has already ended.',
  passkey_not_found: 'This passkey no longer exists.',
  totp_not_started: 'Please scan the code with your authenticator app first.',
  totp_not_enabled: 'There is no authenticator app on your account.',
  kyc_completed: identityTexts.verified,
  not_found: 'There is nothing at this address.',
  package_not_found: 'This package does not exist.',
  order_not_found: 'This order does not exist.',
  method_not_allowed: 'This address does not take this method.',
  package_not_on_sale: 'This package is not on sale at the moment.',
  idempotency_key_reused: 'This Idempotency-Key was already used for another request.',
  body_too_large: 'The request is too large.',
  unsupported_media_type: 'Send the request as application/json.',
  invalid_fields: 'Please correct the form errors.',
  amount_invalid: 'Please enter a valid amount greater than zero.',
  currency_unsupported: 'Unsupported Token',
  insufficient_spot: 'Insufficient Balance',
  insufficient_funding: 'Insufficient Funding Balance',
  too_many_requests: 'Too many attempts. Please wait before trying again.',
  internal: 'An unexpected error occurred.',
  unavailable: 'The service is not available at the moment. Please try again.'
}

export const fieldMessages: Record<FieldError, string> = {
  email_required: 'Email is required',
  email_invalid: 'Email format is invalid',
  password_required: 'Please enter your password',
  password_short: 'Password must be at least 8 characters',
  password_long: 'Password must be at most 200 characters',
  phone_required: 'Phone number is required',
  phone_invalid: 'Phone number is invalid',
  referral_code_invalid: 'Referral code is invalid',
  code_required: 'Please enter the verification code',
  code_wrong: 'The code is invalid or expired. Please request a new one.',
  name_long: 'Name must be at most 80 characters',
  name_invalid: 'Name contains characters that are not allowed',
  email_same: 'This is your email already',
  passkey_name_required: 'Please enter a name for this passkey',
  totp_wrong: 'This code is wrong or was used before. Please wait for the next one.',
  promo_required: 'Please enter a promo code',
  invalid: 'This value is not valid'
}

/** The sentences of what is wrong with the fields of a form. */
export function fieldSentences(fields: Record<string, FieldError>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, code]) => [name, fieldMessages[code]]))
}

export function isFieldError(text: string): text is FieldError {
  return Object.hasOwn(fieldMessages, text)
}

/** The sentence of an error; `params` fill what stands in braces. */
export function errorSentence(code: ErrorCode, params: ErrorParams = {}): string {
  return errorMessages[code].replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
}
