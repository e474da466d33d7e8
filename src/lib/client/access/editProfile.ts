/** Name and phone on the profile. */

import { map } from 'nanostores'
import { checkName, checkPhone } from '#lib/domain/access/credentials.ts'
import { fieldMessages, fieldSentences } from '#lib/messages/en/fields.ts'
import { texts } from '#lib/messages/en/platform.ts'
import { profileTexts } from '#lib/messages/en/profile.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { notify } from '../platform/notices.ts'
import { refreshQueries } from '../platform/queries.ts'

export type ProfileField = 'name' | 'phone'
type Values = Record<ProfileField, string>
type State = { isOpen: boolean; values: Values; errors: Partial<Values>; busy: boolean }

export function createEditProfile() {
  const state = map<State>({ isOpen: false, values: { name: '', phone: '' }, errors: {}, busy: false })

  function open(values: Values): void {
    state.set({ isOpen: true, values, errors: {}, busy: false })
  }

  function close(): void {
    if (!state.get().busy) state.setKey('isOpen', false)
  }

  function type(field: ProfileField, text: string): void {
    const { values, errors } = state.get()
    state.set({ ...state.get(), values: { ...values, [field]: text }, errors: { ...errors, [field]: undefined } })
  }

  async function submit(): Promise<void> {
    const { values, busy } = state.get()
    if (busy) return
    const [nameError, phoneError] = [checkName(values.name), checkPhone(values.phone)]
    const errors = {
      ...(nameError && { name: fieldMessages[nameError] }),
      ...(phoneError && { phone: fieldMessages[phoneError] })
    }
    state.setKey('errors', errors)
    if (Object.keys(errors).length > 0) return
    state.setKey('busy', true)
    try {
      await call('updateProfile', { body: { name: values.name.trim(), phone: values.phone.trim() } })
      state.set({ ...state.get(), busy: false, isOpen: false })
      notify('success', profileTexts.profileSaved)
      refreshQueries('getProfile')
    } catch (error) {
      const fields = error instanceof CallError ? error.fields : {}
      if (Object.keys(fields).length === 0) notify('error', sentenceOf(error, texts.somethingWrong))
      state.set({ ...state.get(), busy: false, errors: fieldSentences(fields) })
    }
  }

  return { state, open, close, type, submit }
}
