import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordNotice } from '#lib/server/notices/index.ts'
import { notices } from '#lib/server/notices/schema.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let customer: Customer
beforeAll(async () => {
  test = await createTestApp()
})
beforeEach(async () => {
  customer = await test.signUp()
  await test.app.worker.flush()
})
afterAll(() => test.close())

const get = async (path: string, token = customer.token) => (await test.send('GET', path, { token })).body.data
const unseen = async () => (await get('/users/notices/unseen')).unseen
const list = async () => (await get('/users/notices')).notices
const see = (upTo: string) => test.send('POST', '/users/notices/seen', { token: customer.token, body: { upTo } })
const announce = async () => {
  const body = { comboConfigId: 19, bankAccountId: 1 }
  const { id } = (await test.send('POST', '/orders/combo', { token: customer.token, body })).body.data
  await test.send('PATCH', `/orders/combo/${id}/purchase`, { token: customer.token, body: {} })
  await test.app.worker.flush()
  return id
}
const settings = (body: object) => test.send('PATCH', '/users/settings', { token: customer.token, body })

describe('notices', () => {
  it('come from the events of the mails, without their codes', async () => {
    const id = await announce()
    const titles = (await list()).map(({ title }: { title: string }) => title)
    expect(titles).toEqual(['We are waiting for €956.80', 'Your identity is verified'])
    expect((await list())[0]).toMatchObject({
      group: 'orders',
      isSeen: false,
      kind: 'order',
      href: `/package-history?tab=order&order=${id}`
    })
    expect(JSON.stringify(await list())).not.toMatch(/\b\d{6}\b.*code/)
  })

  it('are new until they were seen, and no made-up number hides what comes later', async () => {
    expect(await unseen()).toBe(1)
    await see('999999999999999999')
    expect(await unseen()).toBe(0)
    await announce()
    expect(await unseen()).toBe(1)
    await see('1')
    expect(await unseen()).toBe(1)
    await see((await list())[0].id)
    expect(await unseen()).toBe(0)
    expect((await list()).every(({ isSeen }: { isSeen: boolean }) => isSeen)).toBe(true)
  })

  it('are new until each is opened, and only those that are new can be asked for', async () => {
    await announce()
    const [newest, oldest] = await list()
    expect([newest.isSeen, oldest.isSeen]).toEqual([false, false])
    expect(newest.about).toMatch(/\S/)
    const open = (only: string, token = customer.token) => test.send('POST', '/users/notices/seen', { token, body: { only } })
    const other = await test.signUp()
    await open(oldest.id, other.token)
    expect(await unseen(), 'somebody else opens nothing').toBe(2)
    expect((await open(oldest.id)).body.data).toEqual({ unseen: 1 })
    expect((await get('/users/notices?unseen=true')).notices.map(({ id }: { id: string }) => id)).toEqual([newest.id])
    expect((await list()).map(({ isSeen }: { isSeen: boolean }) => isSeen)).toEqual([false, true])
    const both = await test.send('POST', '/users/notices/seen', { token: customer.token, body: { only: '1', upTo: '1' } })
    expect(both.status).toBe(422)
  })

  it('can be limited to what moves money, or to access and identity', async () => {
    await announce()
    const titlesIn = async (area: string) =>
      (await get(`/users/notices?area=${area}`)).notices.map(({ title }: { title: string }) => title)
    expect(await titlesIn('money')).toEqual(['We are waiting for €956.80'])
    expect(await titlesIn('security')).toEqual(['Your identity is verified'])
    expect((await test.send('GET', '/users/notices?area=other', { token: customer.token })).status).toBe(422)
  })

  it('are nobody else’s', async () => {
    await announce()
    const other = await test.signUp()
    await test.app.worker.flush()
    const { notices } = await get('/users/notices', other.token)
    expect(notices.map(({ title }: { title: string }) => title)).toEqual(['Your identity is verified'])
  })

  it('are made once, however often their job runs', async () => {
    const event = { jobId: 987_654n, userId: customer.userId, name: 'identityRetry', params: {}, at: new Date() } as const
    await recordNotice(test.app.context, event)
    await recordNotice(test.app.context, event)
    expect((await list()).filter(({ title }: { title: string }) => title.includes('needs something'))).toHaveLength(1)
  })
})

it('keep no link of their mail: it may end sessions', async () => {
  const secret = 'https://wallet.example/disavow?token=secret'
  const params = { link: secret, notMe: secret, tokens: '1 CPC' }
  await recordNotice(test.app.context, {
    jobId: 987_655n,
    userId: customer.userId,
    name: 'p2pSold',
    params,
    at: new Date()
  })
  const kept = await test.app.context.db.select().from(notices).where(eq(notices.jobId, 987_655n))
  expect(kept.map((one) => one.params)).toEqual([{ tokens: '1 CPC' }])
})

describe('the setting for mails', () => {
  it('keeps a group out of the mailbox, and the notice stays', async () => {
    expect((await settings({ mutedMails: ['orders'] })).status).toBe(200)
    await announce()
    expect((await test.mailsTo(customer.email)).some(({ subject }) => subject.startsWith('We are waiting'))).toBe(false)
    expect((await list())[0].title).toBe('We are waiting for €956.80')
  })

  it('keeps out a weekly mail that waited when it was switched off', async () => {
    const event = { jobId: 987_656n, userId: customer.userId, name: 'weekly', params: {}, at: new Date() } as const
    await settings({ mutedMails: [] })
    expect(await recordNotice(test.app.context, event)).toBe(true)
    await settings({ mutedMails: ['weekly'] })
    expect(await recordNotice(test.app.context, event)).toBe(false)
  })

  it('cannot keep out what is about security, payments, withdrawals or the law', async () => {
    expect((await settings({ mutedMails: ['security'] })).status).toBe(422)
    expect((await settings({ mutedMails: ['payments'] })).status).toBe(422)
    await settings({ mutedMails: ['identity', 'orders', 'rewards'] })
    const id = await announce()
    await test.arrive({ amountCents: 95_680n, remittance: id })
    expect((await test.mailsTo(customer.email))[0]?.subject).toContain('is completed')
  })
})

describe('the settings', () => {
  it('are kept with the account, one by one, and a wrong one changes nothing', async () => {
    await settings({ displayCurrency: 'EUR' })
    await settings({ timeZone: 'Europe/Vienna' })
    expect((await get('/users/profile')).settings).toEqual({ displayCurrency: 'EUR', timeZone: 'Europe/Vienna', mutedMails: [] })
    for (const wrong of [{ timeZone: 'Mars/Olympus' }, { timeZone: '../etc' }, { displayCurrency: 'GBP' }, {}, { theme: 'dark' }])
      expect((await settings(wrong)).status, JSON.stringify(wrong)).toBe(422)
    await settings({ timeZone: null })
    expect((await get('/users/profile')).settings).toMatchObject({ displayCurrency: 'EUR', timeZone: null })
  })
})
