/** The mail about the week: once a week, to who holds something and wants it; off by one link, and by no GET. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dueWeek, weeklyJob } from '#lib/server/home/weekly.ts'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { keepDailyRates } from '#lib/server/rates/daily.ts'
import { COIN } from '#support/p2p.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const DAY = 86_400

let test: TestApp
beforeAll(async () => {
  // A Saturday noon.
  test = await createTestApp()
})
afterAll(() => test.close())

const fund = (customer: Customer) =>
  test.adjust([
    { source: house('treasury'), destination: customerAccount(customer.userId, 'spot'), currency: 'CPC', amount: 100n * COIN }
  ])
const run = () => weeklyJob(test.app.context, { rates: test.app.ports.rates }).run({}, { id: 0n, createdAt: new Date() })
const weeks = async (customer: Customer) =>
  (await test.mailsTo(customer.email)).filter(({ subject }) => subject.startsWith('Your week'))
const nextDay = async () => {
  await keepDailyRates(test.app.context, await test.app.ports.rates.current())
  test.pass(DAY)
}

describe('the mail about the week', () => {
  it.each([
    ['2026-11-22T23:59:00Z', undefined],
    ['2026-11-23T05:59:00Z', undefined],
    ['2026-11-23T06:00:00Z', '2026-11-23'],
    ['2026-11-25T23:00:00Z', '2026-11-23'],
    ['2026-11-26T00:00:00Z', undefined]
  ])('at %s is that of %s', (at, week) => {
    expect(dueWeek(new Date(at))).toBe(week)
  })

  it('comes on Monday, once, with the total, why it changed, and what comes next', async () => {
    const [holder, poor] = [await test.customer(), await test.customer()]
    await fund(holder)
    await run()
    expect(await weeks(holder), 'it is Saturday').toEqual([])
    await nextDay()
    await nextDay()
    await Promise.all([run(), run()])
    await run()
    const [mail, ...more] = await weeks(holder)
    expect(more).toEqual([])
    expect(mail?.text).toContain('$5.00')
    expect(mail?.text).toContain('Paid in and out')
    expect(mail?.text).toContain('No payout is due.')
    expect(mail?.subject, 'a locked screen shows no figures').not.toContain('$')
    expect(await weeks(poor)).toEqual([])
  })

  it('is switched off by its link: only by a press, for good, and by nobody else’s', async () => {
    const [holder, other] = [await test.customer(), await test.customer()]
    await fund(holder)
    await fund(other)
    for (let day = 0; day < 7; day += 1) await nextDay()
    await run()
    const [mail] = await weeks(holder)
    const token = /mails-off\?token=([\w.-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect(token).not.toBe('')
    expect((await test.send('POST', '/users/mails/off', { body: { token: `${token}x` } })).body.code).toBe('link_invalid')
    for (let time = 0; time < 2; time += 1) {
      const off = await test.send('POST', '/users/mails/off', { body: { token } })
      expect(off.body.data.message).toBe('This mail no longer comes.')
    }
    for (let day = 0; day < 7; day += 1) await nextDay()
    await run()
    expect(await weeks(holder)).toHaveLength(1)
    expect(await weeks(other)).toHaveLength(2)
  })
})
