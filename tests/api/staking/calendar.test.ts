/** The calendar of rewards, and its private link. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillFund, payDue } from '#lib/server/staking/index.ts'
import { type Customer, createTestApp, PASSWORD, type TestApp } from '#support/testApp.ts'

const DAY = 86_400
let test: TestApp
let customer: Customer

async function buy(who: Customer, comboConfigId: number): Promise<void> {
  const { body } = await test.send('POST', '/orders/combo', { token: who.token, body: { comboConfigId, bankAccountId: 1 } })
  await test.arrive({ remittance: body.data.id, amountCents: BigInt(body.data.euroToPay.replace('.', '')) })
}
type Line = { day: string; kind: string; state: string; units: string; count: number }
type Month = { month: string; sums: { currency: string; units: string }[]; lines: Line[] }
const calendar = async (year: number, who = customer): Promise<Month[]> =>
  (await test.ask(who, 'getRewardCalendar', { query: { year } })).months
const tokenIn = (url: string) => /\/rewards\/([\w-]{43})\.ics$/.exec(url)?.[1] ?? ''
const read = (token: string) => test.send('POST', '/users/rewards/feed/read', { body: { token } })

beforeAll(async () => {
  test = await createTestApp()
  customer = await test.customer()
  const { referralCode } = await test.ask(customer, 'getProfile')
  await test.send('POST', '/orders/promo', { token: customer.token, body: { code: 'ANNIVERSARY' } })
  await buy(customer, 83)
  await buy(customer, 83)
  await buy(customer, 146)
  await buy(await test.customer({ referralCode }), 1 + 18)
  await fillFund(test.app.context, {
    currency: 'PTC',
    units: 10n ** 15n,
    reference: 'calendar',
    actor: { kind: 'staff', id: 'test' }
  })
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

describe('the calendar', () => {
  it('has this year’s referral reward, and next year’s quarters, staked tokens and bonus by month', async () => {
    const answer = await test.ask(customer, 'getRewardCalendar')
    expect(answer).toMatchObject({ year: 2026, years: [2026, 2027, 2028, 2029] })
    expect(answer.months).toMatchObject([
      { month: '2026-11', sums: [{ currency: 'CPC' }], lines: [{ day: '2026-11-21', kind: 'referral', state: 'paid', count: 1 }] }
    ])
    const next = await calendar(2027)
    // All years in one call: the same months, year by year.
    const all = await test.ask(customer, 'getRewardCalendar', { query: { span: 'all' } })
    expect(all.months).toEqual((await Promise.all(answer.years.map((year: number) => calendar(year)))).flat())
    expect(next.map(({ month }) => month)).toEqual(['2027-02', '2027-05', '2027-08', '2027-11', '2027-12'])
    // Two packages of the same day share a line; returned staked tokens are listed, but not summed as income.
    const [february, , , november, december] = next
    expect(february).toMatchObject({
      sums: [{ currency: 'PTC', units: '6666666666666' }],
      lines: [{ day: '2027-02-21', kind: 'reward', state: 'due', count: 2, units: '6666666666666' }]
    })
    expect(november?.lines.map(({ kind }) => kind).sort()).toEqual(['principal', 'reward'])
    expect(november?.sums).toHaveLength(1)
    expect(BigInt(november?.sums[0]?.units ?? 0)).toBeLessThan(10n ** 13n)
    expect(december?.lines).toMatchObject([{ day: '2027-12-21', kind: 'bonus', state: 'due', units: '833333333333' }])
    expect((await calendar(2028)).flatMap(({ lines }) => lines)).toHaveLength(12)
  })

  it('says what was paid, and what is late', async () => {
    test.pass(95 * DAY)
    expect((await calendar(2027))[0]?.lines[0]?.state).toBe('late')
    await payDue(test.app.context)
    expect((await calendar(2027))[0]?.lines[0]?.state).toBe('paid')
  })

  it('is nobody else’s, and empty without anything', async () => {
    expect(await calendar(2027, await test.customer())).toEqual([])
  })
})

const create = (token: string) => test.send('POST', '/users/rewards/feed', { token, body: {} })

describe('the private link', () => {
  beforeAll(async () => {
    // The tests before let months pass.
    const { body } = await test.send('POST', '/users/signin', { body: { email: customer.email, password: PASSWORD } })
    customer = { ...customer, token: body.data.token }
  })

  it('needs a fresh proof of who makes it, and is told of by mail', async () => {
    const other = await test.customer()
    test.pass(11 * 60)
    expect(await create(other.token)).toMatchObject({ status: 403, body: { code: 'confirmation_required' } })
    await test.send('POST', '/users/confirm/request', { token: other.token, body: {} })
    const code = await test.codeFor(other.email)
    expect((await test.send('POST', '/users/confirm', { token: other.token, body: { code } })).status).toBe(200)
    expect((await create(other.token)).status).toBe(200)
    const subjects = (await test.mailsTo(other.email)).map(({ subject }) => subject)
    expect(subjects.join()).toContain('Private calendar link created')
    const again = await test.send('POST', '/users/signin', { body: { email: customer.email, password: PASSWORD } })
    expect(again.body).toMatchObject({ data: { token: expect.any(String) } })
    customer = { ...customer, token: again.body.data.token }
  })

  it('shows the calendar to whoever has it, without saying whose it is, until it is replaced or ended', async () => {
    const { url } = (await create(customer.token)).body.data
    const first = tokenIn(url)
    const { status, body } = await read(first)
    expect(status).toBe(200)
    expect(body.data.events).toHaveLength(1 + 4 + 1 + 20)
    expect(JSON.stringify(body)).not.toContain(customer.email)
    expect(JSON.stringify(body)).not.toContain(customer.userId)
    expect(await test.ask(customer, 'getRewardFeed')).toMatchObject({ createdAt: expect.any(String) })
    const stored = await test.app.context.db.execute('select * from reward_feeds')
    expect(JSON.stringify(stored)).not.toContain(first)

    const second = tokenIn((await create(customer.token)).body.data.url)
    expect((await read(first)).body.code).toBe('link_invalid')
    expect((await read(second)).body.data.events).toEqual(body.data.events)
    await test.ask(customer, 'revokeRewardFeed', { body: {} })
    expect((await read(second)).body.code).toBe('link_invalid')
    expect(await test.ask(customer, 'getRewardFeed')).toEqual({ createdAt: null })
  })

  it('ends with a new password: somebody who knew the old one may have made it', async () => {
    const other = await test.customer()
    const { url } = (await create(other.token)).body.data
    expect((await read(tokenIn(url))).status).toBe(200)
    await test.send('POST', '/users/forgot-password', { body: { email: other.email }, headers: { cookie: other.browser } })
    const reset = { email: other.email, token: await test.codeFor(other.email), password: 'an entirely new password' }
    const { status } = await test.send('POST', '/users/forgot-password/verify', {
      body: reset,
      headers: { cookie: other.browser }
    })
    expect(status).toBe(200)
    expect((await read(tokenIn(url))).body.code).toBe('link_invalid')
  })

  it.each(['', 'x', '0'.repeat(43), "' or 1=1 --"])('is refused where it is none: "%s"', async (token) => {
    expect((await read(token)).status).toBeGreaterThanOrEqual(400)
  })
})
