/** Verify email (spec sections 2 and 4): masked address, a code valid for 1800 s, resend. */

import { CODE_LENGTH, CODE_LIFETIME_SECONDS, normalizeCode, RESEND_AFTER_SECONDS } from '#lib/domain/access/credentials.ts'
import { signInTexts } from '#messages/access/signIn.ts'
import { texts } from '#messages/platform/texts.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { goTo } from '../platform/navigation.ts'
import { startSession } from '../platform/session.ts'
import { notify, notifyNextPage } from '../platform/toasts.ts'
import { explainAsNotice } from './explain.ts'
import { forgetVerification, recallVerification, rememberVerification } from './verification.ts'

type More = {
  /** undefined until read from the browser; null if nobody signed up in this browser. */
  email: string | null | undefined
  expiresAtMs: number
}

/** The state after a sign-up form sent without JavaScript, with the error of the last code typed. */
export type FirstVerify = { email: string; sentAtMs: number; error?: string | undefined }

export function createVerifyEmail(first?: FirstVerify, nowMs: () => number = Date.now) {
  const form = createForm<'code', More>({ code: '' }, { email: first?.email, expiresAtMs: 0 }, nowMs)
  const { state } = form
  if (first?.error) form.put('code', '', first.error)

  function countFrom(sentAtMs: number): void {
    form.change({
      expiresAtMs: sentAtMs + CODE_LIFETIME_SECONDS * 1000,
      waitUntilMs: sentAtMs + RESEND_AFTER_SECONDS * 1000
    })
  }

  function load(): void {
    const verification = first ?? recallVerification()
    form.change({ email: verification?.email ?? null })
    if (verification) countFrom(verification.sentAtMs)
  }

  function type(_field: 'code', text: string): void {
    const { busy } = state.get()
    if (busy !== 'verifying' && busy !== 'leaving') form.put('code', normalizeCode(text).slice(0, CODE_LENGTH))
  }

  async function verify(): Promise<void> {
    const {
      email,
      fields: { code }
    } = state.get()
    if (!email || code.length < CODE_LENGTH) return
    await form.submit(
      async () => {
        startSession(await call('verifySignUp', { body: { email, token: code } }))
        forgetVerification()
        notifyNextPage('success', signInTexts.verificationSuccessful)
        form.leave()
        goTo('/dashboard')
      },
      (error) => ({ code: sentenceOf(error, texts.somethingWrong) }),
      'verifying'
    )
  }

  async function resend(): Promise<void> {
    const { email } = state.get()
    if (!email || form.mustWait()) return
    await form.submit(
      async () => {
        await call('resendSignUpCode', { body: { email } })
        rememberVerification({ email, sentAtMs: nowMs() })
        form.put('code', '')
        countFrom(nowMs())
        notify('success', signInTexts.codeResent)
      },
      (error) => {
        if (error instanceof CallError && error.retryAfterSeconds !== undefined) form.wait(error.retryAfterSeconds)
        return explainAsNotice(error)
      },
      'resending',
      true
    )
  }

  return { state, load, type, verify, resend }
}
