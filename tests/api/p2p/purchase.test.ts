/** The database function behind purchases computes and refuses exactly as `lib/domain` does. */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOLD_REASONS } from '#lib/domain/access/withdrawalGate.ts'
import { decimal } from '#lib/domain/money/decimal.ts'
import { fillFault } from '#lib/domain/p2p/order.ts'
import { checkPrice, distanceOf, settle } from '#lib/domain/p2p/settle.ts'
import { holdWithdrawals, users } from '#lib/server/access/index.ts'
import { dayLimit } from '#lib/server/p2p/limit.ts'
import { p2pOrders, p2pTrades } from '#lib/server/p2p/schema.ts'
import { transact } from '#lib/server/platform/transaction.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const PAIR = { assetCurrency: 'CPC', settlementCurrency: 'USDC' }
const REFERENCE = decimal('0.05')

let test: TestApp
let p2p: ReturnType<typeof p2pOf>
const people: { [who in 'seller' | 'buyer']?: Customer } = {}
const person = (who: 'seller' | 'buyer') => people[who] as Customer
beforeAll(async () => {
  test = await createTestApp({ env: { WITHDRAWAL_DAY_USD: '1000000000' } })
  p2p = p2pOf(test)
  for (const who of ['seller', 'buyer'] as const) people[who] = await test.customer()
  await p2p.fund(person('seller'), 'CPC', 10n ** 7n * COIN)
  await p2p.fund(person('buyer'), 'USDC', 10n ** 7n * DOLLAR)
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

describe('a purchase', () => {
  const order = fc.record({
    /** USDC per coin times 10⁸; the reference is 5,000,000. */
    price: fc.integer({ min: 2_500_000, max: 7_500_000 }),
    parts: fc.array(fc.bigInt({ min: 10n * COIN, max: 900n * COIN }), { minLength: 1, maxLength: 6 })
  })

  it('comes to what settle() and distanceOf() say, part by part', async () => {
    const { db } = test.app.context
    await fc.assert(
      fc.asyncProperty(order, async ({ price, parts }) => {
        const pricePerCoin = `0.0${String(price).padStart(7, '0')}`
        const all = parts.reduce((sum, part) => sum + part, 0n)
        const id = await p2p.listed(person('seller'), { price: pricePerCoin, amount: all })
        let [grossBefore, rest] = [0n, all]
        for (const part of parts) {
          const isSold = fillFault({ rest, smallestFill: 10n * COIN }, part) === undefined
          const { status, body } = await p2p.fill(person('buyer'), id, { amount: part })
          expect(status === 200, `${part} of ${rest}: ${body.code}`).toBe(isSold)
          if (!isSold) continue
          const { gross, fee } = settle({ ...PAIR, pricePerCoin, feeBasisPoints: 100, grossBefore }, part)
          expect(body.data).toMatchObject({
            assetAmount: String(part),
            grossSettlementAmount: String(gross),
            settlementFeeAmount: String(fee)
          })
          const [trade] = await db.select().from(p2pTrades).where(eq(p2pTrades.id, body.data.id))
          expect(trade?.difference).toBe(distanceOf({ ...PAIR, pricePerCoin }, part, REFERENCE))
          grossBefore += gross
          rest -= part
        }
        const [kept] = await db.select().from(p2pOrders).where(eq(p2pOrders.id, id))
        expect(kept).toMatchObject({
          filledAmount: all - rest,
          grossSettled: grossBefore,
          status: rest === 0n ? 'COMPLETED' : 'PENDING'
        })
        if (rest > 0n) await p2p.cancel(person('seller'), id)
      }),
      { numRuns: 15 }
    )
  })

  it('is allowed up to the price that checkPrice() allows, and not a hair beyond', async () => {
    const id = await p2p.listed(person('seller'), { price: '0.05', amount: 1000n * COIN })
    const { db } = test.app.context
    const tried = async (reference: string) => {
      const { rows } = (await db.execute(
        `select p2p.refusal from p2p_fill(gen_random_uuid(), '${person('buyer').userId}', 'customer:test', (select id from sessions where user_id = '${person('buyer').userId}' limit 1), '-infinity', '${id}', ${10n * COIN}, ${reference}, 0.01, ${dayLimit(10n ** 9n)}, '', now()) p2p`
      )) as unknown as { rows: { refusal: string | null }[] }
      return rows[0]?.refusal ?? null
    }
    const references = ['0.03333333', '0.03333334', '0.1', '0.10000001', '0.05']
    for (const reference of references) {
      const isRefused = checkPrice(decimal('0.05'), decimal(reference)) === 'refused'
      expect(await tried(reference), reference).toBe(isRefused ? 'price' : null)
    }
    await p2p.cancel(person('seller'), id)
  })
})

describe('whatever shuts the gate for a withdrawal', () => {
  type Shut = { by: (customer: Customer) => Promise<unknown>; code: string }
  const set = (customer: Customer, values: Partial<typeof users.$inferInsert>) =>
    test.app.context.db.update(users).set(values).where(eq(users.id, customer.userId))
  const shut: Record<(typeof HOLD_REASONS)[number], Shut> = {
    locked: { by: (customer) => set(customer, { lockedAt: new Date() }), code: 'account_locked' },
    held: {
      by: ({ userId }) =>
        transact(test.app.context, (work) =>
          holdWithdrawals(work, { userId, reason: 'deposit_reverted', sourceType: 'deposit', sourceId: userId })
        ),
      code: 'withdrawals_held'
    },
    resting: {
      by: (customer) => set(customer, { withdrawalsRestUntil: new Date(test.app.context.clock().getTime() + 60_000) }),
      code: 'withdrawals_resting'
    },
    not_verified: {
      by: ({ userId }) =>
        test.app.context.db.execute(`update identity_checks set review_status = 'pending' where user_id = '${userId}'`),
      code: 'kyc_required'
    }
  }

  it.each(HOLD_REASONS)('refuses a purchase too: %s', async (reason) => {
    const id = await p2p.listed(person('seller'), { amount: 1000n * COIN })
    const customer = await test.customer()
    await p2p.fund(customer, 'USDC', 500n * DOLLAR)
    await shut[reason].by(customer)
    expect(await p2p.fill(customer, id)).toMatchObject({ status: 403, body: { code: shut[reason].code } })
    expect(await p2p.holding(customer, 'USDC')).toMatchObject({ funding: 500n * DOLLAR })
    await p2p.cancel(person('seller'), id)
  })
})

// PostgreSQL only: the embedded database has one connection, so nobody else can hold a lock.
describe.runIf(process.env.ENGINE === 'postgres')('a purchase that takes too long', () => {
  it('has not happened where the customer was told that it had not', async () => {
    const id = await p2p.listed(person('seller'), { amount: 1000n * COIN })
    const { db } = test.app.context
    let release = () => undefined as unknown
    const held = new Promise((resolve) => {
      release = () => resolve(undefined)
    })
    let holding: Promise<void> | undefined
    await new Promise((locked) => {
      holding = db.transaction(async (tx) => {
        await tx.select().from(p2pOrders).where(eq(p2pOrders.id, id)).for('update')
        locked(undefined)
        await held
      })
    })
    const answer = await p2p.fill(person('buyer'), id, { amount: 100n * COIN })
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    release()
    await holding
    const [kept] = await db.select().from(p2pOrders).where(eq(p2pOrders.id, id))
    expect(kept?.filledAmount).toBe(0n)
    expect((await p2p.fill(person('buyer'), id, { amount: 100n * COIN })).status).toBe(200)
    await p2p.cancel(person('seller'), id)
  }, 20_000)
})
