/** The two dialogs of a new password (spec sections 2, 4, 5 and 8): first the password, then the code. */

import { map } from 'nanostores'
import { checkEmail, checkPassword, normalizeCode, normalizeEmail } from '#lib/domain/access/credentials.ts'
import { fieldMessages } from '#lib/messages/en/fields.ts'
import { signInTexts, waitForCode } from '#lib/messages/en/signIn.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { notify } from '../platform/notices.ts'

type Field = 'email' | 'password' | 'code'
type State = {
  step: 'closed' | 'password' | 'code'
  email: string
  /** The address was given: it is shown masked and cannot be changed. */
  isKnown: boolean
  password: string
  code: string
  errors: Partial<Record<Field, string>>
  busy: boolean
}

const closed: State = { step: 'closed', email: '', isKnown: false, password: '', code: '', errors: {}, busy: false }

/** `onChanged` is called after the password has changed, e.g. to leave a page whose session that has ended. */
export function createResetPassword(onChanged: () => void) {
  const state = map<State>(closed)

  /** Opens with the given address; if it is invalid, the dialog asks for it. */
  function open(email: string): void {
    const known = normalizeEmail(email)
    const isKnown = checkEmail(known) === undefined
    state.set({ ...closed, step: 'password', email: isKnown ? known : email, isKnown })
  }

  function close(): void {
    if (!state.get().busy) state.set(closed)
  }

  function type(field: Field, text: string): void {
    const { errors, busy } = state.get()
    if (busy) return
    const value = field === 'code' ? normalizeCode(text) : text
    state.set({ ...state.get(), [field]: value, errors: { ...errors, [field]: undefined } })
  }

  function errorsOfFirst(): State['errors'] {
    const { email, password } = state.get()
    const emailError = checkEmail(normalizeEmail(email))
    const passwordError = checkPassword(password)
    return {
      ...(emailError && { email: emailError === 'email_required' ? signInTexts.enterEmail : fieldMessages[emailError] }),
      ...(passwordError && {
        password: passwordError === 'password_required' ? signInTexts.enterNewPassword : fieldMessages[passwordError]
      })
    }
  }

  /** Requests the code; on success the second dialog opens. */
  async function proceed(): Promise<void> {
    const errors = errorsOfFirst()
    state.setKey('errors', errors)
    if (state.get().busy || Object.keys(errors).length > 0) return
    state.setKey('busy', true)
    try {
      await call('forgotPassword', { body: { email: normalizeEmail(state.get().email) } })
      notify('success', signInTexts.checkEmail)
      state.set({ ...state.get(), step: 'code', code: '', busy: false })
    } catch (error) {
      const wait = error instanceof CallError ? error.retryAfterSeconds : undefined
      notify('error', wait === undefined ? sentenceOf(error, signInTexts.resetMailFailed) : waitForCode(wait))
      state.setKey('busy', false)
    }
  }

  /** Sets the password with the code; on success the dialog closes. */
  async function confirm(): Promise<void> {
    const { email, password, code, busy } = state.get()
    if (busy) return
    if (code === '') return state.setKey('errors', { code: fieldMessages.code_required })
    state.set({ ...state.get(), busy: true, errors: {} })
    try {
      await call('resetPassword', { body: { email: normalizeEmail(email), token: code, password } })
      state.set(closed)
      onChanged()
    } catch (error) {
      state.set({ ...state.get(), busy: false, errors: { code: sentenceOf(error, signInTexts.verificationFailed) } })
    }
  }

  return { state, open, close, type, proceed, confirm }
}
