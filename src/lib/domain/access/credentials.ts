/** Rules for signing up and signing in. Source: spec sections 5 and 9. */
import type { FormError } from '../fields.ts'

export const CODE_LENGTH = 6
export const CODE_LIFETIME_SECONDS = 1800
export const CODE_TRIES = 5
export const RESEND_AFTER_SECONDS = 60
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 200
/** Changes to the account's security need no new proof of identity for this long after the last one. */
export const FRESH_PROOF_SECONDS = 600
/** Time allowed for the second factor after the first. */
export const TICKET_SECONDS = 300
export const RECOVERY_CODE_COUNT = 10
/** How long the "this wasn't me" link of a mail works. */
export const DISAVOW_DAYS = 30

/** No spaces, no control characters, and no character that could make a mail header name another mailbox. */
const EMAIL = /^[^\s@\p{C}<>()[\],;:"\\]{1,64}@[^\s@.\p{C}<>()[\],;:"\\]+(?:\.[^\s@.\p{C}<>()[\],;:"\\]+)+$/u
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase()
}

export function checkEmail(text: string): FormError | undefined {
  if (text.trim() === '') return 'email_required'
  return EMAIL.test(text) && text.length <= 254 ? undefined : 'email_invalid'
}

export function checkPassword(text: string): FormError | undefined {
  if (text === '') return 'password_required'
  if (text.length < PASSWORD_MIN_LENGTH) return 'password_short'
  return text.length > PASSWORD_MAX_LENGTH ? 'password_long' : undefined
}

/** True if two addresses reach the same mailbox: a suffix after a plus in the local part does not count. */
export function isSameMailbox(a: string, b: string): boolean {
  const mailbox = (email: string) => normalizeEmail(email).replace(/\+[^@]*(?=@)/, '')
  return mailbox(a) === mailbox(b)
}

/** Removes white space from a typed or pasted code (spec section 5). */
export function normalizeCode(text: string): string {
  return text.replace(/\s/g, '')
}

export function isCompleteCode(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/** `jo***@example.com`: the first two characters of the local part, asterisks, then the domain (spec section 2). */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  if (at < 0) return ''
  const local = email.slice(0, at)
  return `${local.slice(0, 2)}${'*'.repeat(Math.max(3, local.length - 2))}${email.slice(at)}`
}
