import { describe, expect, it } from 'vitest'
import { createForm } from '#lib/client/platform/form.ts'

const nothing = () => undefined

describe('a form', () => {
  it('runs one action at a time and does not change what is being sent', async () => {
    const form = createForm({ name: '' }, {})
    form.type('name', 'Ada')
    let finish = () => {}
    const sent = form.submit(() => new Promise<void>((resolve) => (finish = resolve)), nothing, 'saving')
    expect(form.state.get().busy).toBe('saving')
    form.type('name', 'Eve')
    expect(await form.submit(() => Promise.resolve(), nothing)).toBe(false)
    expect(form.state.get()).toMatchObject({ fields: { name: 'Ada' }, busy: 'saving' })
    finish()
    expect(await sent).toBe(true)
    expect(form.state.get().busy).toBeUndefined()
  })

  it('shows what went wrong at the field or for the whole form, keeps what was typed, and forgets it with the next key', async () => {
    const form = createForm({ name: '', phone: '' }, {})
    form.type('name', 'Ada')
    const fail = () => Promise.reject(new Error('no'))
    expect(await form.submit(fail, () => ({ name: 'Taken' }))).toBe(false)
    expect(form.state.get()).toMatchObject({ fields: { name: 'Ada' }, errors: { name: 'Taken' }, busy: undefined })
    form.type('phone', '1')
    expect(form.state.get().errors.name).toBe('Taken')
    form.type('name', 'Ada K')
    expect(form.state.get().errors.name).toBeUndefined()
    await form.submit(fail, () => 'Not today')
    expect(form.state.get()).toMatchObject({ error: 'Not today', errors: {} })
    form.type('name', 'Ada')
    expect(form.state.get().error).toBeUndefined()
  })

  it('keeps what was wrong where the action has nothing to do with it, e.g. another code is requested', async () => {
    const form = createForm({ code: '' }, {})
    form.check({ code: 'Wrong' })
    const resend = (action: () => Promise<unknown>) => form.submit(action, nothing, 'resending', true)
    expect(await resend(() => Promise.reject(new Error('no')))).toBe(false)
    expect(form.state.get().errors.code).toBe('Wrong')
    expect(await resend(() => Promise.resolve())).toBe(true)
    expect(form.state.get().errors.code).toBe('Wrong')
  })

  it('sends nothing more once the next page was asked for', async () => {
    const form = createForm({}, {})
    await form.submit(async () => form.leave(), nothing)
    expect(form.state.get().busy).toBe('leaving')
    expect(await form.submit(() => Promise.resolve(), nothing)).toBe(false)
  })

  it('waits as long as it was told, and starts again without what was typed', () => {
    let nowMs = 1000
    const form = createForm({ name: '' }, { step: 1 }, () => nowMs)
    form.type('name', 'Ada')
    form.change({ step: 2 })
    form.wait(60)
    nowMs += 59_999
    expect(form.mustWait()).toBe(true)
    nowMs += 1
    expect(form.mustWait()).toBe(false)
    expect(form.check({ name: undefined })).toBe(true)
    expect(form.check({ name: 'Wrong' })).toBe(false)
    form.reset({ waitUntilMs: 5 })
    expect(form.state.get()).toEqual({
      fields: { name: '' },
      errors: {},
      error: undefined,
      busy: undefined,
      waitUntilMs: 5,
      step: 1
    })
  })
})
