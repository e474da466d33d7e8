/** Sign up (spec sections 2 and 5). */

import { map } from 'nanostores'
import {
  checkEmail,
  checkPassword,
  checkPhone,
  checkReferralCode,
  normalizeEmail,
  normalizeReferralCode
} from '#lib/domain/access/credentials.ts'
import type { FieldError } from '#lib/domain/fields.ts'
import { fieldMessages, fieldSentences } from '#lib/messages/en/fields.ts'
import { texts } from '#lib/messages/en/platform.ts'
import { signInTexts, waitForCode } from '#lib/messages/en/signIn.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { goTo } from '../platform/navigation.ts'
import { notify, notifyNextPage } from '../platform/notices.ts'
import { rememberVerification } from './verification.ts'

export const signUpFields = ['email', 'password', 'phone', 'referralCode'] as const
export type SignUpField = (typeof signUpFields)[number]

const checks: Record<SignUpField, (text: string) => FieldError | undefined> = {
  email: (text) => checkEmail(normalizeEmail(text)),
  password: checkPassword,
  phone: checkPhone,
  referralCode: checkReferralCode
}

type State = {
  values: Record<SignUpField, string>
  errors: Partial<Record<SignUpField, string>>
  busy: boolean
  /** Counts the refused submits: the view puts the focus on the first wrong field after each. */
  refusals: number
}

export function createSignUp(invitedBy = '', nowMs: () => number = Date.now) {
  const state = map<State>({
    values: { email: '', password: '', phone: '', referralCode: invitedBy },
    errors: {},
    busy: false,
    refusals: 0
  })

  function errorOf(field: SignUpField): string | undefined {
    const code = checks[field](state.get().values[field])
    return code && fieldMessages[code]
  }

  function refuse(errors: Partial<Record<SignUpField, string>>): void {
    state.set({ ...state.get(), errors, busy: false, refusals: state.get().refusals + 1 })
  }

  /** A field shows its error when it is left or submitted; from then on it is checked while typing. */
  function type(field: SignUpField, text: string): void {
    const { values, errors } = state.get()
    state.setKey('values', { ...values, [field]: text })
    if (errors[field]) state.setKey('errors', { ...errors, [field]: errorOf(field) })
  }

  function leave(field: SignUpField): void {
    const { values, errors } = state.get()
    if (values[field] !== '') state.setKey('errors', { ...errors, [field]: errorOf(field) })
  }

  async function submit(): Promise<void> {
    const { values, busy } = state.get()
    if (busy) return
    const errors = Object.fromEntries(signUpFields.flatMap((field) => (errorOf(field) ? [[field, errorOf(field)]] : [])))
    if (Object.keys(errors).length > 0) return refuse(errors)
    state.set({ ...state.get(), errors: {}, busy: true })
    const email = normalizeEmail(values.email)
    const referralCode = normalizeReferralCode(values.referralCode)
    try {
      await call('signUp', {
        body: { email, password: values.password, phone: values.phone.trim(), ...(referralCode && { referralCode }) }
      })
      rememberVerification({ email, sentAtMs: nowMs() })
      notifyNextPage('success', signInTexts.accountCreated)
      goTo('/sign-up-verify')
    } catch (error) {
      const failure = error instanceof CallError ? error : undefined
      if (!failure || Object.keys(failure.fields).length === 0) {
        notify(
          'error',
          failure?.retryAfterSeconds ? waitForCode(failure.retryAfterSeconds) : sentenceOf(error, texts.somethingWrong)
        )
      }
      refuse(fieldSentences(failure?.fields ?? {}))
    }
  }

  return { state, type, leave, submit }
}
