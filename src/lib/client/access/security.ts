/** Sessions, passkeys and the authenticator app on the profile. */

import { normalizeCode } from '#lib/domain/access/credentials.ts'
import { profileTexts } from '#messages/access/profile.ts'
import { signInTexts } from '#messages/access/signIn.ts'
import { fieldMessages, fieldSentence } from '#messages/platform/fields.ts'
import { texts } from '#messages/platform/texts.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { refreshQueries } from '../platform/queries.ts'
import { notify } from '../platform/toasts.ts'
import { canUsePasskeys, createPasskey, PasskeyDeclinedError } from './passkey.ts'
import type { Reauthentication } from './reauthentication.ts'

type Field = 'code' | 'passkeyName'
type More = {
  dialog: 'totp' | 'recoveryCodes' | 'passkey' | undefined
  /** The key of the authenticator app that is being added. */
  setup: { secret: string; uri: string } | undefined
  recoveryCodes: string[]
}

/** `busy` is the id of the session or passkey that is being removed, or the name of the action. */
export function createSecurity({ guarded }: Pick<Reauthentication, 'guarded'>, make = createPasskey) {
  const form = createForm<Field, More>({ code: '', passkeyName: '' }, { dialog: undefined, setup: undefined, recoveryCodes: [] })
  const { state } = form

  /** Runs one action, shows its failure, and reloads the displayed data. Undefined if it failed or was declined. */
  async function run<T>(what: string, action: () => Promise<T>): Promise<T | undefined> {
    let answer: T | undefined
    const explain = (error: unknown) => {
      const wrong = error instanceof CallError ? error.fields.code : undefined
      if (wrong) return { code: fieldSentence(wrong) }
      if (!(error instanceof PasskeyDeclinedError)) notify('error', sentenceOf(error, texts.somethingWrong))
      return undefined
    }
    if (state.get().busy) return undefined
    await form.submit(
      async () => {
        answer = await guarded(action)
      },
      explain,
      what
    )
    refreshQueries('getSecurity')
    return answer
  }

  async function endSession(id: string): Promise<void> {
    if (await run(id, () => call('endSession', { params: { id }, body: {} }))) notify('success', profileTexts.sessionGone)
  }

  async function endOthers(): Promise<void> {
    if (await run('others', () => call('endOtherSessions', { body: {} }))) notify('success', profileTexts.othersGone)
  }

  async function startTotp(): Promise<void> {
    const setup = await run('totp', () => call('startTotp', { body: {} }))
    if (setup) form.change({ dialog: 'totp', setup, fields: { code: '', passkeyName: '' }, errors: {} })
  }

  async function enableTotp(): Promise<void> {
    const { code } = state.get().fields
    if (!form.check({ code: code === '' ? fieldMessages.code_required : undefined })) return
    const made = await run('enableTotp', () => call('enableTotp', { body: { code } }))
    if (made) showRecoveryCodes(made.recoveryCodes)
  }

  async function disableTotp(): Promise<void> {
    if (await run('disableTotp', () => call('disableTotp', { body: {} }))) notify('success', profileTexts.totpDisabled)
  }

  async function renewRecoveryCodes(): Promise<void> {
    const made = await run('recoveryCodes', () => call('renewRecoveryCodes', { body: {} }))
    if (made) showRecoveryCodes(made.recoveryCodes)
  }

  function showRecoveryCodes(recoveryCodes: string[]): void {
    form.change({ dialog: 'recoveryCodes', recoveryCodes, setup: undefined })
  }

  function openPasskey(): void {
    if (canUsePasskeys()) form.change({ dialog: 'passkey', fields: { code: '', passkeyName: '' }, errors: {} })
    else notify('error', signInTexts.noPasskeys)
  }

  async function addPasskey(): Promise<void> {
    const name = state.get().fields.passkeyName.trim()
    if (!form.check({ passkeyName: name === '' ? fieldMessages.passkey_name_required : undefined })) return
    const added = await run('addPasskey', async () => {
      const response = await make(await call('passkeyOptions', { body: {} }))
      return call('addPasskey', { body: { name, response: response as never } })
    })
    if (!added) return
    close()
    notify('success', profileTexts.passkeyAdded)
  }

  async function removePasskey(id: string): Promise<void> {
    if (await run(id, () => call('removePasskey', { params: { id }, body: {} }))) notify('success', profileTexts.passkeyRemoved)
  }

  function type(field: Field, text: string): void {
    form.put(field, field === 'code' ? normalizeCode(text) : text)
  }

  /** Closing the dialog also deletes the secrets that it showed. */
  function close(): void {
    form.reset({ busy: state.get().busy })
  }

  return {
    state,
    endSession,
    endOthers,
    startTotp,
    enableTotp,
    disableTotp,
    renewRecoveryCodes,
    openPasskey,
    addPasskey,
    removePasskey,
    type,
    close
  }
}
