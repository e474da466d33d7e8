/** Changes the account's email: one code goes to the present address, one to the new one. */

import { map } from 'nanostores'
import { checkEmail, normalizeCode, normalizeEmail } from '#lib/domain/access/credentials.ts'
import { fieldMessages, fieldSentences } from '#lib/messages/en/fields.ts'
import { texts } from '#lib/messages/en/platform.ts'
import { profileTexts } from '#lib/messages/en/profile.ts'
import { waitForCode } from '#lib/messages/en/signIn.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { loadChunk } from '../platform/loadChunk.ts'
import { notify } from '../platform/notices.ts'
import { refreshQueries } from '../platform/queries.ts'
import { session } from '../platform/session.ts'
import type { Reauthentication } from './reauthentication.ts'

type Field = 'email' | 'currentCode' | 'newCode'
type State = { step: 'closed' | 'email' | 'codes'; errors: Partial<Record<Field, string>>; busy: boolean } & Record<Field, string>

const closed: State = { step: 'closed', email: '', currentCode: '', newCode: '', errors: {}, busy: false }

export function createChangeEmail({ guarded }: Pick<Reauthentication, 'guarded'>) {
  const state = map<State>(closed)

  function type(field: Field, text: string): void {
    const { errors, busy } = state.get()
    if (busy) return
    state.set({
      ...state.get(),
      [field]: field === 'email' ? text : normalizeCode(text),
      errors: { ...errors, [field]: undefined }
    })
  }

  function fail(error: unknown): void {
    const failure = error instanceof CallError ? error : undefined
    const fields = failure?.fields ?? {}
    const wait = failure?.retryAfterSeconds
    if (Object.keys(fields).length === 0)
      notify('error', wait === undefined ? sentenceOf(error, texts.somethingWrong) : waitForCode(wait))
    state.set({ ...state.get(), busy: false, errors: fieldSentences(fields) })
  }

  async function request(): Promise<void> {
    const email = normalizeEmail(state.get().email)
    const wrong = checkEmail(email)
    state.setKey('errors', wrong ? { email: fieldMessages[wrong] } : {})
    if (wrong || state.get().busy) return
    state.setKey('busy', true)
    try {
      const sent = await guarded(() => call('requestEmailChange', { body: { email } }))
      // Earlier codes no longer work.
      state.set({ ...state.get(), email, busy: false, ...(sent && { step: 'codes' as const, currentCode: '', newCode: '' }) })
      if (sent) notify('success', profileTexts.emailCodesSent)
    } catch (error) {
      fail(error)
    }
  }

  async function confirm(): Promise<void> {
    const { email, currentCode, newCode, busy } = state.get()
    if (busy) return
    const missing = fieldMessages.code_required
    const errors = { ...(currentCode === '' && { currentCode: missing }), ...(newCode === '' && { newCode: missing }) }
    state.setKey('errors', errors)
    if (Object.keys(errors).length > 0) return
    state.setKey('busy', true)
    try {
      const changed = await guarded(() => call('changeEmail', { body: { email, currentCode, newCode } }))
      if (!changed) return state.setKey('busy', false)
      state.set(closed)
      notify('success', profileTexts.emailChanged)
      refreshQueries('getProfile')
      // The token still contains the old address.
      await loadChunk(() => import('../platform/refresh.ts'))
        .then(({ refreshToken }) => refreshToken(session.get()?.token ?? ''))
        // No harm: it is refreshed before it expires.
        .catch(() => undefined)
    } catch (error) {
      fail(error)
    }
  }

  function close(): void {
    if (!state.get().busy) state.set(closed)
  }

  /** Goes back to correct the address, not to type it again. */
  function back(): void {
    if (!state.get().busy) state.set({ ...state.get(), step: 'email', errors: {} })
  }

  return { state, back, open: () => state.set({ ...closed, step: 'email' }), close, type, request, confirm }
}
