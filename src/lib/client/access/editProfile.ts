/** Name and phone on the profile. */

import { checkName, checkPhone } from '#lib/domain/access/person.ts'
import { profileTexts } from '#messages/access/profile.ts'
import { fieldMessages } from '#messages/platform/fields.ts'
import { call } from '../platform/call.ts'
import { createForm } from '../platform/form.ts'
import { refreshQueries } from '../platform/queries.ts'
import { notify } from '../platform/toasts.ts'
import { explain } from './explain.ts'

export type ProfileField = 'name' | 'phone'

export function createEditProfile() {
  const form = createForm<ProfileField, { isOpen: boolean }>({ name: '', phone: '' }, { isOpen: false })
  const { state } = form

  function open(fields: Record<ProfileField, string>): void {
    form.reset({ isOpen: true, fields })
  }

  function close(): void {
    if (!state.get().busy) form.change({ isOpen: false })
  }

  async function submit(): Promise<void> {
    const {
      busy,
      fields: { name, phone }
    } = state.get()
    const [nameError, phoneError] = [checkName(name), checkPhone(phone)]
    const errors = { name: nameError && fieldMessages[nameError], phone: phoneError && fieldMessages[phoneError] }
    if (busy || !form.check(errors)) return
    await form.submit(async () => {
      await call('updateProfile', { body: { name: name.trim(), phone: phone.trim() } })
      form.change({ isOpen: false })
      notify('success', profileTexts.profileSaved)
      refreshQueries('getProfile')
    }, explain)
  }

  return { state, open, close, type: (field: ProfileField, text: string) => form.put(field, text), submit }
}
