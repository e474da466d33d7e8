/** The sentence of everything that can be wrong with a field. Source: spec sections 5 and 8. */
import type { FieldError } from '#lib/domain/fields.ts'

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
  // Where the chain is known, the form says it more exactly (messages/en/chains/addresses.ts).
  address_form: 'This is not an address of this network.',
  address_otherChain: 'This is an address of another network.',
  address_network: 'This address belongs to another network, such as a test network.',
  address_checksum: 'A character of this address is wrong. Please copy it again.',
  address_version: 'This kind of address cannot be paid to yet.',
  address_zero: 'This address belongs to nobody: what is sent there is lost.',
  address_ours: 'This is an address of our own. To move coins between customers, use P2P.',
  address_token: 'This is the address of a token’s contract: what is sent there is lost.',
  address_not_listed: 'This address is not on your whitelist.',
  address_resting: 'This address is new on your whitelist and can be used 24 hours after it was added.',
  public_key_wrong: 'This public key is not that of the account.',
  details_required: 'Above EUR 1,000 we must know who receives it.',
  invalid: 'This value is not valid'
}

/** The sentences of what is wrong with the fields of a form. */
export function fieldSentences(fields: Record<string, FieldError>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, code]) => [name, fieldMessages[code]]))
}

export function isFieldError(text: string): text is FieldError {
  return Object.hasOwn(fieldMessages, text)
}
