/** Changes the account's email address: one code goes to the current address, one to the new address. */

import { checkEmail, normalizeCode, normalizeEmail } from '#lib/domain/access/credentials.ts'
import { profileTexts } from '#messages/access/profile.ts'
import { fieldMessages } from '#messages/platform/fields.ts'
import { call } from '../platform/call.ts'
import { createForm } from '../platform/form.ts'
import { loadChunk } from '../platform/loadChunk.ts'
import { refreshQueries } from '../platform/queries.ts'
import { session } from '../platform/session.ts'
import { notify } from '../platform/toasts.ts'
import { explain } from './explain.ts'
import type { Reauthentication } from './reauthentication.ts'

type Field = 'email' | 'currentCode' | 'newCode'
type More = { step: 'closed' | 'email' | 'codes' }

export function createChangeEmail({ guarded }: Pick<Reauthentication, 'guarded'>) {
  const form = createForm<Field, More>({ email: '', currentCode: '', newCode: '' }, { step: 'closed' })
  const { state } = form

  function type(field: Field, text: string): void {
    form.type(field, field === 'email' ? text : normalizeCode(text))
  }

  async function request(): Promise<void> {
    const email = normalizeEmail(state.get().fields.email)
    const wrong = checkEmail(email)
    if (state.get().busy || !form.check({ email: wrong && fieldMessages[wrong] })) return
    await form.submit(async () => {
      if (!(await guarded(() => call('requestEmailChange', { body: { email } })))) return
      // Earlier codes no longer work.
      form.change({ step: 'codes', fields: { email, currentCode: '', newCode: '' } })
      notify('success', profileTexts.emailCodesSent)
    }, explain)
  }

  async function confirm(): Promise<void> {
    const { email, currentCode, newCode } = state.get().fields
    const missing = (code: string) => (code === '' ? fieldMessages.code_required : undefined)
    if (state.get().busy || !form.check({ currentCode: missing(currentCode), newCode: missing(newCode) })) return
    let isChanged = false
    await form.submit(async () => {
      isChanged = (await guarded(() => call('changeEmail', { body: { email, currentCode, newCode } }))) !== undefined
    }, explain)
    if (!isChanged) return
    form.reset()
    notify('success', profileTexts.emailChanged)
    refreshQueries('getProfile')
    // The token still contains the old address.
    await loadChunk(() => import('../platform/refresh.ts'))
      .then(({ refreshToken }) => refreshToken(session.get()?.token ?? ''))
      // No harm: it is refreshed before it expires.
      .catch(() => undefined)
  }

  function close(): void {
    if (!state.get().busy) form.reset()
  }

  /** Goes back to correct the address, which stays in the field. */
  function back(): void {
    if (!state.get().busy) form.change({ step: 'email', errors: {} })
  }

  return { state, back, open: () => form.reset({ step: 'email' }), close, type, request, confirm }
}
