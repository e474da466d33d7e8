/** The second factor of a sign-in: a code of the authenticator app, or a recovery code. */

import { map } from 'nanostores'
import { CODE_LENGTH, normalizeCode } from '#lib/domain/access/credentials.ts'
import { signInTexts } from '#lib/messages/en/signIn.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { startSession } from '../platform/session.ts'

type State = { code: string; isRecovery: boolean; error: string | undefined; busy: boolean }
type Outcome = { onSignedIn: () => void; onTooLate: (why: string) => void }

const RECOVERY_LENGTH = 24

export function createSecondFactor(ticket: string, { onSignedIn, onTooLate }: Outcome) {
  const state = map<State>({ code: '', isRecovery: false, error: undefined, busy: false })

  async function submit(): Promise<void> {
    const { code, busy } = state.get()
    if (busy || code === '') return
    state.set({ ...state.get(), busy: true, error: undefined })
    try {
      startSession(await call('verifySecondFactor', { body: { ticket, code } }))
      onSignedIn()
    } catch (error) {
      if (error instanceof CallError && error.code === 'ticket_invalid') return onTooLate(error.message)
      state.set({ ...state.get(), busy: false, error: sentenceOf(error, signInTexts.loginFailed) })
    }
  }

  /** Submits automatically at the six digits of an app's code. */
  function type(text: string): void {
    const { busy, isRecovery, code: before } = state.get()
    if (busy) return
    const code = isRecovery ? text.slice(0, RECOVERY_LENGTH) : normalizeCode(text).slice(0, CODE_LENGTH)
    if (code === before) return
    state.set({ ...state.get(), code, error: undefined })
    if (!isRecovery && code.length === CODE_LENGTH) void submit()
  }

  function toggleRecovery(): void {
    if (!state.get().busy) state.set({ code: '', isRecovery: !state.get().isRecovery, error: undefined, busy: false })
  }

  return { state, type, submit, toggleRecovery }
}
