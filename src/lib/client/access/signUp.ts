/** Sign up (spec sections 2 and 5). */

import { checkEmail, checkPassword, normalizeEmail } from '#lib/domain/access/credentials.ts'
import { checkPhone, checkReferralCode, normalizeReferralCode } from '#lib/domain/access/person.ts'
import type { FormError } from '#lib/domain/fields.ts'
import { signInTexts } from '#messages/access/signIn.ts'
import { fieldMessages } from '#messages/platform/fields.ts'
import { call } from '../platform/call.ts'
import { createForm } from '../platform/form.ts'
import { goTo } from '../platform/navigation.ts'
import { notifyNextPage } from '../platform/toasts.ts'
import { explain } from './explain.ts'
import { rememberVerification } from './verification.ts'

const signUpFields = ['email', 'password', 'phone', 'referralCode'] as const
export type SignUpField = (typeof signUpFields)[number]

const checks: Record<SignUpField, (text: string) => FormError | undefined> = {
  email: (text) => checkEmail(normalizeEmail(text)),
  password: checkPassword,
  phone: checkPhone,
  referralCode: checkReferralCode
}

/** The initial state of the page: an invitation's referral code, or the fields and errors of a form sent without JavaScript. */
export type FirstSignUp = { fields: Partial<Record<SignUpField, string>>; errors: Partial<Record<SignUpField, string>> }

const NOTHING = { email: '', password: '', phone: '', referralCode: '' }

export function createSignUp(first: FirstSignUp = { fields: {}, errors: {} }, nowMs: () => number = Date.now) {
  const form = createForm<SignUpField, object>({ ...NOTHING, ...first.fields }, {}, nowMs)
  const { state } = form
  form.check(first.errors)

  function errorOf(field: SignUpField, text: string): string | undefined {
    const code = checks[field](text)
    return code && fieldMessages[code]
  }

  /** A field shows its error when it is left or submitted; from then on it is checked while typing. */
  function type(field: SignUpField, text: string): void {
    form.put(field, text, state.get().errors[field] && errorOf(field, text))
  }

  function leave(field: SignUpField): void {
    const text = state.get().fields[field]
    if (text !== '') form.put(field, text, errorOf(field, text))
  }

  async function submit(): Promise<void> {
    const { fields, busy } = state.get()
    const errors = Object.fromEntries(signUpFields.map((field) => [field, errorOf(field, fields[field])]))
    if (busy || !form.check(errors)) return
    const email = normalizeEmail(fields.email)
    const referralCode = normalizeReferralCode(fields.referralCode)
    await form.submit(async () => {
      await call('signUp', {
        body: { email, password: fields.password, phone: fields.phone.trim(), ...(referralCode && { referralCode }) }
      })
      rememberVerification({ email, sentAtMs: nowMs() })
      notifyNextPage('success', signInTexts.accountCreated)
      form.leave()
      goTo('/sign-up-verify')
    }, explain)
  }

  return { state, type, leave, submit }
}
