import type { AddressFault } from './chains/address.ts'

/** Error codes of form fields. `messages` has a sentence for each. */
const FORM_ERRORS = [
  'email_required',
  'email_invalid',
  'email_same',
  'password_required',
  'password_short',
  'password_long',
  'phone_required',
  'phone_invalid',
  'name_long',
  'name_invalid',
  'referral_code_invalid',
  'code_required',
  'code_wrong',
  'totp_wrong',
  'passkey_name_required',
  'promo_required',
  'invalid'
] as const
export type FormError = (typeof FORM_ERRORS)[number]

/** Error codes of a withdrawal's destination. Their sentences are in `messages/<language>/chains`: other forms do not load them. */
export type TransferError =
  | `address_${AddressFault}`
  | 'address_ours'
  | 'address_token'
  | 'address_not_listed'
  | 'address_resting'
  | 'public_key_wrong'
  | 'details_required'

export type FieldError = FormError | TransferError

export function isFormError(text: string): text is FormError {
  return (FORM_ERRORS as readonly string[]).includes(text)
}
