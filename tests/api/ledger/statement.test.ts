import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT_KINDS, STATEMENT_ACCOUNTS, type StatementAccount } from '#lib/domain/ledger/statement.ts'
import { packageById } from '#lib/domain/orders/packages.ts'
import { customerAccount, house, type Transfer } from '#lib/server/ledger/post.ts'
import { quotePackage } from '#lib/server/orders/quote.ts'
import { orders } from '#lib/server/orders/schema.ts'
import { databaseError } from '#lib/server/platform/db/faults.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

type Line = { id: string; at: string; kind: string; amount: string; balanceAfter: string; orderId: string | null }
const read = async (customer: Customer, query: string) =>
  (await test.send('GET', `/users/balance/statement?${query}`, { token: customer.token })).body.data
const book = (transfers: Transfer[]) => test.adjust(transfers)

/** Buys and pays a package; returns the order's id. */
async function buy(customer: Customer, comboConfigId: number): Promise<string> {
  const { id, euroToPay } = (
    await test.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId, bankAccountId: 1 } })
  ).body.data
  await test.arrive({ amountCents: BigInt(euroToPay.replace('.', '')), remittance: id })
  return id
}

describe('a statement', () => {
  it('has the lines that the figure is the sum of, whatever was booked', async () => {
    const kinds = fc.constantFrom('spot', 'funding', 'frozen', 'staked', 'reward')
    const step = fc.record({ from: kinds, to: kinds, amount: fc.bigInt(1n, 1000n) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const customer = await test.customer({ unverified: true })
        const own = (kind: 'spot') => customerAccount(customer.userId, kind)
        await book([{ source: house('treasury'), destination: own('spot'), currency: 'CPC', amount: 2000n }])
        for (const { from, to, amount } of steps) {
          const transfers = [{ source: own(from as 'spot'), destination: own(to as 'spot'), currency: 'CPC', amount }]
          if (from !== to) await book(transfers).catch(() => undefined)
        }
        const { CPC } = (await test.send('GET', '/users/balance', { token: customer.token })).body.data
        const frozen = BigInt(CPC.wallet.fundingBalance.frozen_balance)
        const shown: Partial<Record<StatementAccount, bigint>> = {
          total: BigInt(CPC.totalBalance),
          available: BigInt(CPC.wallet.spotBalance) + BigInt(CPC.wallet.fundingBalance.total) - frozen,
          frozen,
          staked: BigInt(CPC.stakedBalance),
          reward: BigInt(CPC.rewardBalance)
        }
        for (const account of STATEMENT_ACCOUNTS) {
          const { lines, balance } = await read(customer, `currency=CPC&account=${account}&limit=100`)
          expect(lines.reduce((sum: bigint, { amount }: Line) => sum + BigInt(amount), 0n).toString()).toBe(balance)
          if (shown[account] !== undefined) expect(balance).toBe(shown[account].toString())
          let running = 0n
          for (const line of lines.toReversed()) {
            running += BigInt(line.amount)
            expect(line.balanceAfter).toBe(running.toString())
          }
        }
      }),
      { numRuns: 12 }
    )
  })

  it('names purchases, moves and rewards, with their counterparts and orders', async () => {
    const inviter = await test.customer()
    const { referralCode } = (await test.send('GET', '/users/profile', { token: inviter.token })).body.data
    const customer = await test.customer({ referralCode })
    const id = await buy(customer, 19)
    test.pass(60)
    await test.send('POST', '/users/balance/transfer-from-spot-to-funding', {
      token: customer.token,
      body: { currency: 'CPC', amount: '500' },
      headers: { 'idempotency-key': randomUUID() }
    })
    const spot = await read(customer, 'currency=CPC&account=spot')
    expect(spot.lines).toMatchObject([
      { kind: 'move', amount: '-500', counterpart: { owner: 'you', account: 'funding' }, orderId: null },
      { kind: 'purchase', counterpart: { owner: 'house', account: 'treasury' }, orderId: id }
    ])
    expect(spot.lines[0].balanceAfter).toBe(spot.balance)
    const total = await read(customer, 'currency=CPC&account=total')
    expect(total.lines.map(({ kind }: Line) => kind)).toEqual(['purchase'])
    const reward = await read(inviter, 'currency=CPC&account=reward')
    expect(reward.lines).toMatchObject([{ kind: 'reward', counterpart: { owner: 'house', account: 'rewards' }, orderId: id }])
    const staked = await buy(customer, 83)
    expect((await read(customer, 'currency=PTC&account=staked')).lines).toMatchObject([{ kind: 'purchase', orderId: staked }])
  })

  it('is filtered by kind and by day, and keeps the balance of each line', async () => {
    const customer = await test.customer()
    await buy(customer, 19)
    const first = test.app.context.clock().toISOString().slice(0, 10)
    test.pass(86_400)
    const second = test.app.context.clock().toISOString().slice(0, 10)
    await test.customer()
    const back = (await test.send('POST', '/users/signin', { body: { email: customer.email, password: customer.password } })).body
      .data
    const again = { ...customer, token: back.token }
    await test.send('POST', '/users/balance/transfer-from-spot-to-funding', {
      token: again.token,
      body: { currency: 'CPC', amount: '7' },
      headers: { 'idempotency-key': randomUUID() }
    })
    const lines = async (query: string) => (await read(again, `currency=CPC&account=spot&${query}`)).lines
    expect(await lines(`from=${second}`)).toMatchObject([{ kind: 'move', balanceAfter: '1999999999993' }])
    expect(await lines(`to=${first}`)).toMatchObject([{ kind: 'purchase', balanceAfter: '2000000000000' }])
    expect(await lines(`from=${first}&to=${second}`)).toHaveLength(2)
    expect(await lines('kind=move')).toHaveLength(1)
    expect(await lines('kind=reward')).toEqual([])
    const first1 = await read(again, 'currency=CPC&account=spot&limit=1')
    expect(first1).toMatchObject({ lines: [{ kind: 'move' }], previous: null })
    const older = await read(again, `currency=CPC&account=spot&limit=1&before=${first1.next}`)
    expect(older).toMatchObject({ lines: [{ kind: 'purchase' }], next: null })
    const newer = await read(again, `currency=CPC&account=spot&limit=1&after=${older.previous}`)
    expect(newer).toMatchObject({ lines: first1.lines, previous: null, next: first1.next })
  })

  it.each([
    '',
    'currency=CPC&account=treasury',
    'currency=CPC&from=yesterday',
    'currency=CPC&limit=0',
    'currency=CPC&from=0000-01-01',
    'currency=CPC&extra=1'
  ])('asked with "%s" is refused', async (query) => {
    const customer = await test.customer({ unverified: true })
    const answer = await test.send('GET', `/users/balance/statement?${query}`, { token: customer.token })
    expect(answer.status).toBe(422)
  })

  it('asked from a day that does not exist is refused too', async () => {
    const customer = await test.customer({ unverified: true })
    const answer = await test.send('GET', '/users/balance/statement?currency=CPC&from=2026-02-31', { token: customer.token })
    expect(answer.status).toBe(422)
  })

  it('shows nothing of others', async () => {
    const [one, other] = [await test.customer(), await test.customer()]
    await buy(one, 19)
    expect(await read(other, 'currency=CPC')).toMatchObject({ balance: '0', lines: [], next: null, previous: null })
    expect(Object.keys(ACCOUNT_KINDS).sort()).toEqual([...STATEMENT_ACCOUNTS].sort())
  })
})

describe('the staking total', () => {
  it('is what completed packages with staking cost', async () => {
    const customer = await test.customer()
    await buy(customer, 83)
    await buy(customer, 19)
    await test.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId: 84, bankAccountId: 1 } })
    const total = async () => (await test.send('GET', '/orders/staking/total', { token: customer.token })).body.data
    expect(await total()).toEqual({ totalUsd: '1000.00', orders: 1 })
    // A package of the promotion never counts.
    const { data } = (
      await test.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId: 86, bankAccountId: 1 } })
    ).body
    const promotion = packageById(121)
    if (!promotion) throw new Error('There is such a package')
    const quote = quotePackage(promotion, await test.app.ports.rates.current())
    await test.app.context.db.update(orders).set(quote).where(eq(orders.id, data.id))
    await test.arrive({ remittance: data.id, amountCents: quote.euroCentsToPay })
    expect((await test.ask(customer, 'getOrder', { params: { id: data.id } })).status).toBe(2)
    expect(await total()).toEqual({ totalUsd: '1000.00', orders: 1 })
  })
})

describe('referral', () => {
  it('tells who came and what their completed orders brought, page by page', async () => {
    const inviter = await test.customer()
    const { referralCode } = (await test.send('GET', '/users/profile', { token: inviter.token })).body.data
    const invited: Customer[] = []
    for (let count = 0; count < 3; count += 1) {
      invited.push(await test.customer({ referralCode, ...(count > 0 && { unverified: true as const }) }))
      test.pass(1)
    }
    const list = async (query: string) =>
      (await test.send('GET', `/users/referral/user?${query}`, { token: inviter.token })).body.data
    expect(await list('')).toEqual({
      total: 3,
      data: invited.toReversed().map(({ userId, email }) => ({ id: userId, email }))
    })
    expect((await list('page=2&size=2')).data).toMatchObject([{ email: invited[0]?.email }])
    const [first] = invited
    if (!first) throw new Error('nobody was invited')
    const id = await buy(first, 82)
    await test.send('POST', '/orders/combo', { token: first.token, body: { comboConfigId: 19, bankAccountId: 1 } })
    const rewards = (await test.send('GET', '/users/referral/history', { token: inviter.token })).body.data
    expect(rewards).toEqual([
      {
        order_id: id,
        token: 'CPC',
        // 5 % of $1,000 at $0.05.
        reward_amount: '100000000000',
        order_amount: '1000.00',
        order_status: 2,
        createdAt: expect.any(String),
        movableFrom: expect.any(String),
        takenBackAt: null
      }
    ])
    expect((await test.send('GET', '/users/referral/history', { token: first.token })).body.data).toEqual([])
  })

  it('ignores an alias of the inviter’s own mailbox', async () => {
    const name = randomUUID()
    const owner = await test.customer({ email: `${name}@example.com` })
    const { referralCode } = (await test.send('GET', '/users/profile', { token: owner.token })).body.data
    const again = await test.signUp({ email: `${name}+wallet@example.com`, referralCode })
    expect((await test.send('GET', '/users/profile', { token: again.token })).body.data.targetReferralCode).toBeNull()
    expect((await test.send('GET', '/users/referral/user', { token: owner.token })).body.data.total).toBe(0)
  })

  it('is set only at sign-up: no call takes a code later, and the database refuses a change, a loop and oneself', async () => {
    const [older, newer] = [await test.customer(), await test.customer()]
    const { referralCode } = (await test.send('GET', '/users/profile', { token: newer.token })).body.data
    const late = await test.send('PATCH', '/users/profile', { body: { referralCode }, token: older.token })
    expect(late).toMatchObject({ status: 422, body: { code: 'invalid_fields' } })
    expect(
      (await test.send('PATCH', '/users/profile', { body: { name: 'x', targetReferralCode: referralCode }, token: older.token }))
        .status
    ).toBe(422)
    for (const inviter of [newer.userId, older.userId]) {
      const change = test.app.context.db.execute(sql`update users set referred_by = ${inviter} where id = ${older.userId}`)
      const { code } = databaseError(
        await change.then(
          () => undefined,
          (error: unknown) => error
        )
      )
      expect(code).toMatch(/^23/)
    }
  })
})
