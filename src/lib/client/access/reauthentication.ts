/** Asks for a new proof of identity where the API requires one, then continues the interrupted action. */

import { CODE_LENGTH, normalizeCode } from '#lib/domain/access/credentials.ts'
import { signInTexts } from '#messages/access/signIn.ts'
import { texts } from '#messages/platform/texts.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { notify } from '../platform/toasts.ts'
import { askPasskey, PasskeyDeclinedError } from './passkey.ts'

type More = { isOpen: boolean; method: 'email' | 'totp'; hasPasskey: boolean }

export type Reauthentication = ReturnType<typeof createReauthentication>

export function createReauthentication(ask = askPasskey, nowMs: () => number = Date.now) {
  const form = createForm<'code', More>({ code: '' }, { isOpen: false, method: 'email', hasPasskey: false }, nowMs)
  const { state } = form
  let answer: ((proved: boolean) => void) | undefined

  /** Runs `action`; if it needs a proof, asks for one and runs it again. Undefined if the customer declined. */
  async function guarded<T>(action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action()
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'confirmation_required') throw error
      return (await begin()) ? action() : undefined
    }
  }

  async function begin(): Promise<boolean> {
    const { method, hasPasskey, retryAfterSeconds } = await call('requestReauthentication', { body: {} })
    form.reset({ isOpen: true, method, hasPasskey })
    form.wait(retryAfterSeconds)
    return new Promise((resolve) => {
      answer = resolve
    })
  }

  function end(proved: boolean): void {
    form.reset()
    answer?.(proved)
    answer = undefined
  }

  const explain = (error: unknown) =>
    error instanceof PasskeyDeclinedError ? undefined : { code: sentenceOf(error, texts.unreachable) }

  async function resend(): Promise<void> {
    if (form.mustWait()) return
    await form.submit(async () => {
      const { retryAfterSeconds } = await call('requestReauthentication', { body: {} })
      form.put('code', '')
      form.wait(retryAfterSeconds)
      notify('success', signInTexts.otpSent)
    }, explain)
  }

  async function prove(proof: () => Promise<unknown>): Promise<void> {
    if (await form.submit(proof, explain)) end(true)
  }

  async function submit(): Promise<void> {
    const { code } = state.get().fields
    if (code !== '') await prove(() => call('reauthenticateWithCode', { body: { code } }))
  }

  async function withPasskey(): Promise<void> {
    await prove(async () => {
      const response = await ask(await call('passkeyReauthenticationOptions', { body: {} }))
      await call('reauthenticateWithPasskey', { body: { response: response as never } })
    })
  }

  /** Submits automatically at exactly six digits; a recovery code is longer. */
  function type(_field: 'code', text: string): void {
    const code = normalizeCode(text)
    if (state.get().busy || code === state.get().fields.code) return
    form.put('code', code)
    if (code.length === CODE_LENGTH && /^\d+$/.test(code)) void submit()
  }

  return { state, guarded, submit, resend, withPasskey, type, close: () => state.get().isOpen && end(false) }
}
