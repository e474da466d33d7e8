/** The second factor of a sign-in: a code from the authenticator app, or a recovery code. */

import { CODE_LENGTH, normalizeCode } from '#lib/domain/access/credentials.ts'
import { signInTexts } from '#messages/access/signIn.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { startSession } from '../platform/session.ts'

type Outcome = { onSignedIn: () => void; onTooLate: (why: string) => void }

const RECOVERY_LENGTH = 24

export function createSecondFactor(ticket: string, { onSignedIn, onTooLate }: Outcome, error?: string) {
  const form = createForm({ code: '' }, { isRecovery: false })
  const { state } = form
  if (error) form.check({ code: error })

  async function submit(): Promise<void> {
    const { code } = state.get().fields
    if (code === '') return
    await form.submit(
      async () => {
        startSession(await call('verifySecondFactor', { body: { ticket, code } }))
        form.leave()
        onSignedIn()
      },
      (error) => {
        if (error instanceof CallError && error.code === 'ticket_invalid') return void onTooLate(error.message)
        return { code: sentenceOf(error, signInTexts.loginFailed) }
      }
    )
  }

  /** Submits automatically when an authenticator app's six digits are complete. */
  function type(_field: 'code', text: string): void {
    const { busy, isRecovery, fields } = state.get()
    const code = isRecovery ? text.slice(0, RECOVERY_LENGTH) : normalizeCode(text).slice(0, CODE_LENGTH)
    if (busy || code === fields.code) return
    form.put('code', code)
    if (!isRecovery && code.length === CODE_LENGTH) void submit()
  }

  function toggleRecovery(): void {
    if (!state.get().busy) form.reset({ isRecovery: !state.get().isRecovery })
  }

  return { state, type, submit, toggleRecovery }
}
