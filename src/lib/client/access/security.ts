/** Sessions, passkeys and the authenticator app on the profile. */

import { map } from 'nanostores'
import { normalizeCode } from '#lib/domain/access/credentials.ts'
import { fieldMessages } from '#lib/messages/en/fields.ts'
import { texts } from '#lib/messages/en/platform.ts'
import { profileTexts } from '#lib/messages/en/profile.ts'
import { signInTexts } from '#lib/messages/en/signIn.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { notify } from '../platform/notices.ts'
import { refreshQueries } from '../platform/queries.ts'
import { canUsePasskeys, createPasskey, PasskeyDeclinedError } from './passkey.ts'
import type { Reauthentication } from './reauthentication.ts'

type State = {
  /** What is under way: a session's id, a passkey's id, or the name of the action. */
  busy: string | undefined
  dialog: 'totp' | 'recoveryCodes' | 'passkey' | undefined
  /** The key of the authenticator app that is being added. */
  setup: { secret: string; uri: string } | undefined
  code: string
  codeError: string | undefined
  recoveryCodes: string[]
  passkeyName: string
  passkeyNameError: string | undefined
}

const initial: State = {
  busy: undefined,
  dialog: undefined,
  setup: undefined,
  code: '',
  codeError: undefined,
  recoveryCodes: [],
  passkeyName: '',
  passkeyNameError: undefined
}

export function createSecurity({ guarded }: Pick<Reauthentication, 'guarded'>, make = createPasskey) {
  const state = map<State>(initial)

  /** Runs one action at a time, shows its failure, and reloads the displayed data. */
  async function run<T>(what: string, action: () => Promise<T>): Promise<T | undefined> {
    if (state.get().busy) return undefined
    state.setKey('busy', what)
    try {
      return await guarded(action)
    } catch (error) {
      if (!(error instanceof PasskeyDeclinedError)) notify('error', sentenceOf(error, texts.somethingWrong))
      return undefined
    } finally {
      state.setKey('busy', undefined)
      refreshQueries('getSecurity')
    }
  }

  async function endSession(id: string): Promise<void> {
    if (await run(id, () => call('endSession', { params: { id }, body: {} }))) notify('success', profileTexts.sessionGone)
  }

  async function endOthers(): Promise<void> {
    if (await run('others', () => call('endOtherSessions', { body: {} }))) notify('success', profileTexts.othersGone)
  }

  async function startTotp(): Promise<void> {
    const setup = await run('totp', () => call('startTotp', { body: {} }))
    if (setup) state.set({ ...state.get(), dialog: 'totp', setup, code: '', codeError: undefined })
  }

  async function enableTotp(): Promise<void> {
    const code = normalizeCode(state.get().code)
    if (code === '') return state.setKey('codeError', fieldMessages.code_required)
    const made = await run('enableTotp', () =>
      call('enableTotp', { body: { code } }).catch((error: unknown) => {
        if (!(error instanceof CallError) || !error.fields.code) throw error
        state.setKey('codeError', fieldMessages[error.fields.code])
        return undefined
      })
    )
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
    state.set({ ...state.get(), dialog: 'recoveryCodes', recoveryCodes, setup: undefined })
  }

  function openPasskey(): void {
    if (canUsePasskeys()) state.set({ ...state.get(), dialog: 'passkey', passkeyName: '', passkeyNameError: undefined })
    else notify('error', signInTexts.noPasskeys)
  }

  async function addPasskey(): Promise<void> {
    const name = state.get().passkeyName.trim()
    if (name === '') return state.setKey('passkeyNameError', fieldMessages.passkey_name_required)
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

  function type(field: 'code' | 'passkeyName', text: string): void {
    const error = field === 'code' ? 'codeError' : 'passkeyNameError'
    state.set({ ...state.get(), [field]: field === 'code' ? normalizeCode(text) : text, [error]: undefined })
  }

  /** Closing the dialog also deletes the secrets that it showed. */
  function close(): void {
    state.set({ ...initial, busy: state.get().busy })
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
