/** Rules for the other fields of a sign-up and of the profile. Source: spec sections 2 and 5. */
import type { FormError } from '../fields.ts'

const NAME_MAX_LENGTH = 80
const PHONE = /^\+?[0-9][0-9 ()/.-]{4,24}$/
/** The shortest numbers in use with their country, and the longest that E.164 allows. */
const PHONE_DIGITS = { least: 7, most: 15 }
const REFERRAL_CODE = /^[A-Z0-9]{4,20}$/

export function checkPhone(text: string): FormError | undefined {
  if (text.trim() === '') return 'phone_required'
  const digits = text.replace(/\D/g, '').length
  const isLikely = PHONE.test(text.trim()) && digits >= PHONE_DIGITS.least && digits <= PHONE_DIGITS.most
  return isLikely ? undefined : 'phone_invalid'
}

/** An empty name counts as none: the dashboard then uses the name of the identity check or the email. */
export function checkName(text: string): FormError | undefined {
  const name = text.trim()
  if (name.length > NAME_MAX_LENGTH) return 'name_long'
  return /[\p{C}<>]/u.test(name) ? 'name_invalid' : undefined
}

export function normalizeReferralCode(text: string): string {
  return text.trim().toUpperCase()
}

/** An empty code counts as none: sign-up omits it. */
export function checkReferralCode(text: string): FormError | undefined {
  const code = normalizeReferralCode(text)
  return code === '' || REFERRAL_CODE.test(code) ? undefined : 'referral_code_invalid'
}
