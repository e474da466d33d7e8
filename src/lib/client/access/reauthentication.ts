/** Asks for a new proof of identity where the API requires one, then continues the interrupted action. */

import { map } from 'nanostores'
import { CODE_LENGTH, normalizeCode } from '#lib/domain/access/credentials.ts'
import { texts } from '#lib/messages/en/platform.ts'
import { signInTexts } from '#lib/messages/en/signIn.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { notify } from '../platform/notices.ts'
import { askPasskey, PasskeyDeclinedError } from './passkey.ts'

type State = {
  isOpen: boolean
  method: 'email' | 'totp'
  hasPasskey: boolean
  code: string
  error: string | undefined
  busy: boolean
  /** Epoch milliseconds from which another code may be requested. */
  resendAtMs: number
}

const closed: State = {
  isOpen: false,
  method: 'email',
  hasPasskey: false,
  code: '',
  error: undefined,
  busy: false,
  resendAtMs: 0
}

export type Reauthentication = ReturnType<typeof createReauthentication>

export function createReauthentication(ask = askPasskey, nowMs: () => number = Date.now) {
  const state = map<State>(closed)
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
    state.set({ ...closed, isOpen: true, method, hasPasskey, resendAtMs: nowMs() + retryAfterSeconds * 1000 })
    return new Promise((resolve) => {
      answer = resolve
    })
  }

  function end(proved: boolean): void {
    state.set(closed)
    answer?.(proved)
    answer = undefined
  }

  async function resend(): Promise<void> {
    if (state.get().busy || nowMs() < state.get().resendAtMs) return
    state.set({ ...state.get(), busy: true, error: undefined })
    try {
      const { retryAfterSeconds } = await call('requestReauthentication', { body: {} })
      state.set({ ...state.get(), busy: false, code: '', resendAtMs: nowMs() + retryAfterSeconds * 1000 })
      notify('success', signInTexts.otpSent)
    } catch (error) {
      state.set({ ...state.get(), busy: false, error: sentenceOf(error, texts.unreachable) })
    }
  }

  async function submit(): Promise<void> {
    const { code, busy } = state.get()
    if (busy || code === '') return
    await attempt(() => call('reauthenticateWithCode', { body: { code } }))
  }

  async function withPasskey(): Promise<void> {
    if (state.get().busy) return
    await attempt(async () => {
      const response = await ask(await call('passkeyReauthenticationOptions', { body: {} }))
      await call('reauthenticateWithPasskey', { body: { response: response as never } })
    })
  }

  async function attempt(prove: () => Promise<unknown>): Promise<void> {
    state.set({ ...state.get(), busy: true, error: undefined })
    try {
      await prove()
      end(true)
    } catch (error) {
      const said = error instanceof PasskeyDeclinedError ? undefined : sentenceOf(error, texts.unreachable)
      state.set({ ...state.get(), busy: false, error: said })
    }
  }

  /** Submits automatically at exactly six digits; a recovery code is longer. */
  function type(text: string): void {
    const code = normalizeCode(text)
    if (state.get().busy || code === state.get().code) return
    state.set({ ...state.get(), code, error: undefined })
    if (code.length === CODE_LENGTH && /^\d+$/.test(code)) void submit()
  }

  return { state, guarded, submit, resend, withPasskey, type, close: () => state.get().isOpen && end(false) }
}
