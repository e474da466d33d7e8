/** The two dialogs that set a new password (spec sections 2, 4, 5 and 8): first the password, then the code. */

import { checkEmail, checkPassword, normalizeCode, normalizeEmail } from '#lib/domain/access/credentials.ts'
import { passwordTexts } from '#messages/access/password.ts'
import { fieldMessages } from '#messages/platform/fields.ts'
import { call } from '../platform/call.ts'
import { sentenceOf } from '../platform/failure.ts'
import { createForm, type FormErrors } from '../platform/form.ts'
import { notify } from '../platform/toasts.ts'
import { explain, explainAsNotice } from './explain.ts'

type Field = 'email' | 'password' | 'code'
type More = {
  step: 'closed' | 'password' | 'code'
  /** True if `open` received a valid address: it is shown masked and cannot be changed. */
  isKnown: boolean
}

/** `onChanged` is called after the password has changed, e.g. to leave a page whose session has ended. */
export function createResetPassword(onChanged: () => void) {
  const form = createForm<Field, More>({ email: '', password: '', code: '' }, { step: 'closed', isKnown: false })
  const { state } = form

  /** Opens with the given address; if it is invalid, the dialog asks for it. */
  function open(email: string): void {
    const known = normalizeEmail(email)
    const isKnown = checkEmail(known) === undefined
    form.reset({ step: 'password', isKnown, fields: { email: isKnown ? known : email, password: '', code: '' } })
  }

  function close(): void {
    if (!state.get().busy) form.reset()
  }

  function type(field: Field, text: string): void {
    form.type(field, field === 'code' ? normalizeCode(text) : text)
  }

  function errorsOfFirst(): FormErrors<Field> {
    const { email, password } = state.get().fields
    const emailError = checkEmail(normalizeEmail(email))
    const passwordError = checkPassword(password)
    return {
      email: emailError && (emailError === 'email_required' ? passwordTexts.enterEmail : fieldMessages[emailError]),
      password:
        passwordError && (passwordError === 'password_required' ? passwordTexts.enterNewPassword : fieldMessages[passwordError])
    }
  }

  /** Requests the code; on success the second dialog opens. */
  async function proceed(): Promise<void> {
    const isAgain = state.get().step === 'code'
    if (state.get().busy || (!isAgain && !form.check(errorsOfFirst()))) return
    const isSent = await form.submit(
      () => call('forgotPassword', { body: { email: normalizeEmail(state.get().fields.email) } }),
      (error) => (isAgain ? explainAsNotice : explain)(error, passwordTexts.resetMailFailed),
      'submit',
      isAgain
    )
    if (!isSent) return
    notify('success', passwordTexts.checkEmail)
    form.put('code', '')
    form.change({ step: 'code' })
  }

  /** Sets the password with the code; on success the dialog closes. */
  async function confirm(): Promise<void> {
    const { email, password, code } = state.get().fields
    if (state.get().busy || !form.check({ code: code === '' ? fieldMessages.code_required : undefined })) return
    const isChanged = await form.submit(
      () => call('resetPassword', { body: { email: normalizeEmail(email), token: code, password } }),
      (error) => ({ code: sentenceOf(error, passwordTexts.verificationFailed) })
    )
    if (!isChanged) return
    form.reset()
    onChanged()
  }

  return { state, open, close, type, proceed, confirm }
}
