/** The sentence of every error code of a field. Source: spec sections 5 and 8. */
import type { FieldError, FormError } from '#lib/domain/fields.ts'

export const fieldMessages: Record<FormError, string> = {
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
  email_same: 'This is already your email',
  passkey_name_required: 'Please enter a name for this passkey',
  totp_wrong: 'This code is wrong or already used. Please wait for the next one.',
  promo_required: 'Please enter a promo code',
  invalid: 'This value is not valid'
}

/** The sentence of an error code; a general sentence for codes that are not in `fieldMessages`. */
export function fieldSentence(code: FieldError): string {
  return (fieldMessages as Partial<Record<FieldError, string>>)[code] ?? fieldMessages.invalid
}

/** The sentences for the error codes of a form's fields. */
export function fieldSentences(fields: Record<string, FieldError>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, code]) => [name, fieldSentence(code)]))
}
