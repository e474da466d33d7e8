/** Purchases that share a statement come to what they would come to alone, and none waits for what another one waits for. */
import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { sandboxCustomer } from '#lib/server/access/index.ts'
import { customerAccount, house, lockedHolding, post } from '#lib/server/ledger/index.ts'
import { fillOrder } from '#lib/server/p2p/fill.ts'
import { listOrder } from '#lib/server/p2p/list.ts'
import { p2pSettings } from '#lib/server/p2p/settings.ts'
import type { Customer } from '#lib/server/platform/actor.ts'
import { type Executor, openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { freshDatabase } from '#support/databases.ts'
import { holding as holdingLocks, untilWaiting } from '#support/lockWaits.ts'
import { COIN, DOLLAR } from '#support/p2p.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

const isPostgres = process.env.ENGINE === 'postgres'

let test: TestApp
let url: string | undefined
const connect = async () => (url ? { connection: await openPostgres(url, { poolSize: 10, onLost: () => undefined }) } : {})
beforeAll(async () => {
  url = isPostgres ? await freshDatabase(inject('postgresUrl')) : undefined
  test = await createTestApp(await connect())
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const db = () => test.app.context.db
const settings = () => p2pSettings({ feeBasisPoints: 100, smallestCoins: 10 }, test.app.ports.rates, 10n ** 9n)

/** With coins in funding, and dollars in funding and spot. Accounts in funding are open, unless they are to have nothing. */
async function person({
  coins = 1n,
  funding = 1n,
  spot = 0n
}: {
  coins?: bigint
  funding?: bigint
  spot?: bigint
}): Promise<Customer> {
  const made = await sandboxCustomer(test.app.context, `${randomUUID()}@example.com`)
  await db().execute(sql`
    insert into identity_checks (user_id, applicant_id, review_status, status_at, created_at, updated_at)
    values (${made.userId}, ${made.userId}, 'completed', now(), now(), now())`)
  const given = [
    { kind: 'funding' as const, currency: 'CPC', amount: coins },
    { kind: 'funding' as const, currency: 'USDC', amount: funding },
    { kind: 'spot' as const, currency: 'USDC', amount: spot }
  ].filter(({ amount }) => amount > 0n)
  if (given.length > 0)
    await test.adjust(
      given.map(({ kind, currency, amount }) => ({
        source: house('treasury'),
        destination: customerAccount(made.userId, kind),
        currency,
        amount
      }))
    )
  return made
}

const sold = async (by: Customer, coins: bigint, pricePerCoin: string) =>
  (
    await listOrder(test.app.context, settings(), by, {
      assetCurrency: 'CPC',
      settlementCurrency: 'USDC',
      listedAssetAmount: String(coins * COIN),
      pricePerCoin,
      expiresInDays: 30,
      idempotencyKey: undefined
    })
  ).id

const bought = (by: Customer, id: string, amount: bigint | undefined, idempotencyKey?: string) =>
  fillOrder(test.app.context, settings(), by, { id, amount: amount?.toString(), idempotencyKey })

type Terms = { dayLimit: string; reference: string }
type Purchase = { trade: string; buyer: Customer; order: string; amount: bigint | undefined }
const AT = new Date('2026-01-01T00:00:00Z')

async function buyTogether(tx: Executor, purchases: Purchase[], { dayLimit, reference }: Terms) {
  const column = (read: (one: Purchase) => string | null) => sql`${sql.param(purchases.map(read))}`
  return rowsOf<{ request: number; answer: Record<string, string> }>(
    await tx.execute(sql`
      select request, answer from p2p_fill_many(${column(({ trade }) => trade)}::uuid[], ${column(({ buyer }) => buyer.userId)}::uuid[],
        ${column(({ buyer }) => `customer:${buyer.userId}`)}::text[], ${column(() => null)}::text[], ${column(() => 'hash')}::text[],
        ${column(({ buyer }) => buyer.sessionId)}::uuid[], ${column(({ order }) => order)}::uuid[],
        ${column(({ amount }) => amount?.toString() ?? null)}::numeric[], ${column(() => reference)}::numeric[],
        ${column(() => dayLimit)}::numeric[], 0.01, '-infinity', ${AT.toISOString()}::timestamptz) order by request`)
  )
}

async function buyAlone(tx: Executor, { trade, buyer, order, amount }: Purchase, { dayLimit, reference }: Terms) {
  const [outcome] = rowsOf<{ refusal: string | null; amount: string; gross: string; fee: string }>(
    await tx.execute(sql`
      select refusal, amount::text, gross::text, fee::text from p2p_fill(${trade}::uuid, ${buyer.userId}::uuid, ${`customer:${buyer.userId}`},
        ${buyer.sessionId}::uuid, '-infinity', ${order}::uuid, ${amount?.toString() ?? null}::numeric, ${reference}::numeric, 0.01, ${dayLimit}::numeric, '',
        ${AT.toISOString()}::timestamptz)`)
  )
  if (!outcome) throw new Error('p2p_fill answered nothing')
  return outcome
}

async function sweepAlone(tx: Executor, buyer: Customer, amount: bigint) {
  const [outcome] = rowsOf<{ refusal: string | null; amount: string }>(
    await tx.execute(sql`
      select refusal, amount::text from p2p_sweep(${sql.param([1, 2, 3].map(() => randomUUID()))}::uuid[], ${buyer.userId}::uuid,
        ${`customer:${buyer.userId}`}, ${buyer.sessionId}::uuid, '-infinity', ${amount.toString()}::numeric, ${amount.toString()}::numeric, 1e20,
        0.05, 0.01, 1e20, '', ${AT.toISOString()}::timestamptz)`)
  )
  return outcome
}

/** All that a purchase changes. */
const STATE = sql`
  select
    (select jsonb_agg(to_jsonb(o) order by o.id) from p2p_orders o) as orders,
    (select jsonb_agg(to_jsonb(t) order by t.id) from p2p_trades t) as trades,
    (select jsonb_agg(to_jsonb(a) - 'id' order by a.owner_id, a.currency, a.kind, a.slot) from accounts a where a.balance <> 0) as accounts,
    (select jsonb_agg(j.payload order by j.payload ->> 'id') from jobs j where j.kind = 'p2p_traded') as jobs,
    (select jsonb_agg(to_jsonb(t) - 'id' order by t.reference) from ledger_transactions t) as bookings,
    (select jsonb_agg(jsonb_build_array(l.reference, l.currency, l.amount, l.from_owner, l.from_kind, l.to_owner, l.to_kind, p.source_balance,
      p.destination_balance) order by l.reference, p.id) from ledger_lines l join postings p on p.id = l.id) as lines`
const stateOf = async (tx: Executor) => rowsOf<Record<string, unknown>>(await tx.execute(STATE))[0]

class Undone extends Error {}
/** Runs on the books as they are, and leaves them so. */
async function undone<T>(run: (tx: Executor) => Promise<T>): Promise<T> {
  let result: T | undefined
  await db()
    .transaction(async (tx) => {
      result = await run(tx)
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  return result as T
}

describe('many purchases in one statement', () => {
  const people: Customer[] = []
  const orders: string[] = []
  beforeAll(async () => {
    // Three sell and may also buy; of the others, one is poor, one is held, some have no name to trade under yet, and one no account of coins.
    for (const coins of [1000n, 1000n, 1000n]) people.push(await person({ coins: coins * COIN, funding: 100n * DOLLAR }))
    people.push(await person({ funding: 2n * DOLLAR, spot: 100n * DOLLAR }))
    people.push(await person({ funding: 1n * DOLLAR, spot: 1n * DOLLAR }))
    for (let made = 0; made < 4; made += 1) people.push(await person({ funding: 100n * DOLLAR }))
    people.push(await person({ funding: 100n * DOLLAR, coins: 0n }))
    await db().execute(sql`
      insert into withdrawal_holds (user_id, reason, source_type, source_id, created_at)
      values (${people[5]?.userId}, 'staff', 'test', 'test', now())`)
    const [one, two, three, ...buyers] = people as [Customer, Customer, Customer, ...Customer[]]
    for (const [index, { userId }] of [...buyers.slice(0, 4), people[9] as Customer].entries())
      await db().execute(
        sql`insert into p2p_traders (user_id, public_id, nickname, created_at) values (${userId}, ${userId}, ${`Buyer ${index}`}, now())`
      )
    for (const [by, coins, price] of [
      [one, 100n, '0.05'],
      [one, 300n, '0.0512345'],
      [two, 50n, '0.0499'],
      [three, 70n, '0.0745'],
      [three, 90n, '0.0500001']
    ] as const)
      orders.push(await sold(by, coins, price))
    orders.push(randomUUID())
  })

  const purchase = fc.record({
    buyer: fc.nat({ max: 9 }),
    order: fc.nat({ max: 5 }),
    amount: fc.option(fc.bigInt({ min: 5n, max: 120n }), { nil: undefined, freq: 4 })
  })
  const list = fc.record({
    purchases: fc.array(purchase, { minLength: 1, maxLength: 10 }),
    terms: fc.record({
      dayLimit: fc.constantFrom('1e20', '1e20', '200000', '20000'),
      // Nearly half of the price below one order.
      reference: fc.constantFrom('0.05', '0.05', '0.047')
    })
  })

  it('makes what single ones make, and leaves out what they refuse', async () => {
    const seen = new Map<string, number>()
    const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
    await fc.assert(
      fc.asyncProperty(list, async ({ purchases: drawn, terms }) => {
        const purchases = drawn.map(({ buyer, order, amount }) => ({
          trade: randomUUID(),
          buyer: people[buyer] as Customer,
          order: orders[order] as string,
          amount: amount === undefined ? undefined : amount * COIN
        }))
        const [made, together] = await undone(async (tx) => [await buyTogether(tx, purchases, terms), await stateOf(tx)])
        const isMade = new Set(made.map(({ request }) => request))
        const alone = await undone(async (tx) => {
          for (const { request, answer } of made) {
            const one = purchases[request - 1] as Purchase
            const { refusal, amount, gross, fee } = await buyAlone(tx, one, terms)
            expect({ refusal, amount, gross, fee }).toEqual({
              refusal: null,
              amount: answer.assetAmount,
              gross: answer.grossSettlementAmount,
              fee: answer.settlementFeeAmount
            })
            expect(answer).toMatchObject({ id: one.trade, orderId: one.order })
            count('made')
          }
          return stateOf(tx)
        })
        expect(together).toEqual(alone)
        // What is left out is refused alone, too, or opens an account, or has to do with one that was made before it.
        const sellers = (await stateOf(db()))?.orders as { id: string; maker_id: string }[]
        const sellerOf = (id: string) => sellers.find((one) => one.id === id)?.maker_id
        const parties = made.map(({ request }) => purchases[request - 1] as Purchase)
        for (const [index, one] of purchases.entries()) {
          if (isMade.has(index + 1)) continue
          const isNear = parties.some(
            ({ buyer, order }) =>
              buyer.userId === one.buyer.userId || buyer.userId === sellerOf(one.order) || sellerOf(order) === one.buyer.userId
          )
          if (isNear) {
            count('near')
            continue
          }
          if (one.buyer === people[9]) {
            count('opens')
            continue
          }
          const refusal = await undone(async (tx) => {
            for (const before of made.filter(({ request }) => request < index + 1))
              await buyAlone(tx, purchases[before.request - 1] as Purchase, terms)
            return (await buyAlone(tx, one, terms)).refusal
          })
          expect(refusal).not.toBe(null)
          count(String(refusal))
        }
      }),
      { numRuns: Number(process.env.RUNS ?? 60) }
    )
    for (const what of ['made', 'near', 'opens', 'own', 'part', 'price', 'funds', 'trader', 'limit', 'gate', 'missing'])
      expect(seen.get(what) ?? 0, `${what} of ${JSON.stringify([...seen])}`).toBeGreaterThan(0)
  })
})

/** Keeps what a statement locks until the returned function is called. */
const holding = (statement: SQL) => holdingLocks(db(), (tx) => tx.execute(statement))

/** Of each, so that they have names and none is left out for the lack of one. */
const named = async (buyers: Customer[], order: string) => {
  for (const buyer of buyers) await bought(buyer, order, 10n * COIN)
  return buyers
}

describe('purchases at the same moment', () => {
  const crowd = async (count: number) => Promise.all(Array.from({ length: count }, () => person({ spot: 100n * DOLLAR })))
  /** Statements that made more than one trade: all rows of one have one transaction id. */
  const shared = async (order: string) =>
    rowsOf<{ trades: number }>(
      await db().execute(sql`select count(*)::integer as trades from p2p_trades where order_id = ${order} group by xmin`)
    ).map(({ trades }) => trades)
  it('share a statement, and each is answered as alone', async () => {
    const order = await sold(await person({ coins: 10_000n * COIN }), 10_000n, '0.05')
    const buyers = await named(await crowd(8), order)
    const answers = await Promise.all(buyers.map((buyer) => bought(buyer, order, 20n * COIN)))
    for (const answer of answers)
      expect(answer).toEqual({
        id: expect.any(String),
        orderId: order,
        assetAmount: String(20n * COIN),
        grossSettlementAmount: '1000000',
        settlementFeeAmount: '10000'
      })
    expect(Math.max(...(await shared(order)))).toBe(8)
    expect(new Set(answers.map(({ id }) => id)).size).toBe(8)
  })

  it('of the last coins: who comes too late hears it', async () => {
    const seller = await person({ coins: 1000n * COIN })
    const warm = await sold(seller, 500n, '0.05')
    const buyers = await named(await crowd(6), warm)
    const order = await sold(seller, 100n, '0.05')
    const told = await Promise.allSettled(buyers.map((buyer) => bought(buyer, order, 40n * COIN)))
    const codes = told.map((one) => (one.status === 'fulfilled' ? 'bought' : (one.reason as { code: string }).code))
    // Of 100, two buy 40, and what is left is less than they want.
    expect(codes.sort()).toEqual(['bought', 'bought', ...Array.from({ length: 4 }, () => 'p2p_fill_amount')])
    const rest = await Promise.allSettled(buyers.map((buyer) => bought(buyer, order, undefined)))
    expect(rest.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of rest) if (one.status === 'rejected') expect((one.reason as { code: string }).code).toBe('p2p_order_over')
  })

  it('with a key are made once, whoever repeats them when', async () => {
    const order = await sold(await person({ coins: 10_000n * COIN }), 10_000n, '0.05')
    const buyers = await named(await crowd(5), order)
    const keys = buyers.map(() => randomUUID())
    const all = () =>
      Promise.all(buyers.flatMap((buyer, index) => [1, 2].map(() => bought(buyer, order, 30n * COIN, keys[index]))))
    const [first, second] = [await all(), await all()]
    expect(second).toEqual(first)
    expect(new Set(first.map(({ id }) => id)).size).toBe(5)
    expect((await shared(order)).filter((trades) => trades > 1)).not.toEqual([])
    // Another request with a key that is used, among others that are fine.
    const told = await Promise.allSettled([
      ...buyers.slice(1).map((buyer) => bought(buyer, order, 10n * COIN, randomUUID())),
      bought(buyers[0] as Customer, order, 11n * COIN, keys[0])
    ])
    expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    expect((told[4] as PromiseRejectedResult).reason.code).toBe('idempotency_key_reused')
  })

  it.skipIf(!isPostgres).for([
    ['the account of a buyer', 1],
    ['the account of a seller', 1],
    ['the row of a buyer', 1],
    ['an order', 1]
  ] as const)('%s that is locked delays its own purchase alone', async ([what, delayed]) => {
    const [seller, other] = [await person({ coins: 1000n * COIN }), await person({ coins: 1000n * COIN })]
    const [order, elsewhere] = [await sold(seller, 1000n, '0.05'), await sold(other, 1000n, '0.05')]
    const buyers = await named(await crowd(6), order)
    const [slow, ...quick] = buyers as [Customer, ...Customer[]]
    const [isHeld, isFree] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holder = db().transaction(async (tx) => {
      if (what === 'the account of a buyer') await lockedHolding(tx, slow.userId, 'USDC')
      else if (what === 'the account of a seller') await lockedHolding(tx, other.userId, 'CPC')
      else if (what === 'the row of a buyer') await tx.execute(sql`select id from users where id = ${slow.userId} for update`)
      else await tx.execute(sql`select id from p2p_orders where id = ${elsewhere} for update`)
      isHeld.resolve()
      await isFree.promise
    })
    await isHeld.promise
    let isSlowDone = false
    const late = bought(slow, elsewhere, 10n * COIN).then(() => {
      isSlowDone = true
    })
    const answers = await Promise.all(quick.map((buyer) => bought(buyer, order, 10n * COIN)))
    expect(answers).toHaveLength(6 - delayed)
    expect(isSlowDone).toBe(false)
    expect((await shared(order)).filter((trades) => trades > 1)).toEqual([5])
    isFree.resolve()
    await Promise.all([holder, late])
  })

  it.skipIf(!isPostgres)('share statements also where buyers come and go, in two processes', async () => {
    const order = await sold(await person({ coins: 100_000n * COIN }), 100_000n, '0.05')
    const buyers = await named(await crowd(24), order)
    const other = await createTestApp(await connect())
    const contexts = [test.app.context, other.app.context]
    const pause = () => new Promise((resume) => setTimeout(resume, Math.random() * 12))
    await Promise.all(
      buyers.map(async (buyer, index) => {
        for (let round = 0; round < 12; round += 1) {
          await pause()
          const context = contexts[index % 2] as (typeof contexts)[number]
          await fillOrder(context, settings(), buyer, { id: order, amount: String(10n * COIN), idempotencyKey: randomUUID() })
        }
      })
    )
    const trades = (await shared(order)).filter((count) => count > 1)
    expect(trades.reduce((sum, count) => sum + count, 0)).toBeGreaterThan((24 * 12) / 2)
    await other.close()
  })

  it.skipIf(!isPostgres)('share a statement again once whoever held their order has ended', async () => {
    const order = await sold(await person({ coins: 1000n * COIN }), 1000n, '0.05')
    const buyers = await named(await crowd(8), order)
    const release = await holding(sql`select 1 from p2p_orders where id = ${order} for update`)
    const before = (await shared(order)).length
    const buying = Promise.all(buyers.map((buyer) => bought(buyer, order, 10n * COIN, randomUUID())))
    await new Promise((resume) => setTimeout(resume, 200))
    await release()
    await buying
    expect((await shared(order)).length - before).toBeLessThanOrEqual(2)
  })

  it.skipIf(!isPostgres)('are answered also where the database fails while it is asked which orders are locked', async () => {
    const [free, held] = [
      await sold(await person({ coins: 1000n * COIN }), 1000n, '0.05'),
      await sold(await person({ coins: 1000n * COIN }), 1000n, '0.051')
    ]
    const buyers = await named(await crowd(4), free)
    const release = await holding(sql`select 1 from p2p_orders where id = ${held} for update`)
    let failed = 0
    const failing = new Proxy(test.app.context.quickDb, {
      get: (of, name) => {
        if (name !== 'select' || failed > 0) return Reflect.get(of, name)
        failed += 1
        return () => {
          throw new Error('The database was lost')
        }
      }
    })
    const context = { ...test.app.context, quickDb: failing }
    const buying = buyers.map((buyer, index) =>
      fillOrder(context, settings(), buyer, {
        id: index < 2 ? free : held,
        amount: String(10n * COIN),
        idempotencyKey: undefined
      })
    )
    await Promise.all(buying.slice(0, 2))
    await release()
    await Promise.all(buying)
    expect(failed).toBe(1)
  })

  it.skipIf(!isPostgres)('that would wait too long for their turn are made one by one', async () => {
    const order = await sold(await person({ coins: 1000n * COIN }), 1000n, '0.05')
    const buyers = await named(await crowd(4), order)
    const release = await holding(sql`select pg_advisory_xact_lock(hashtextextended('p2p_fill_many', 0))`)
    await Promise.all(buyers.map((buyer) => bought(buyer, order, 10n * COIN)))
    expect(await shared(order)).toEqual(Array.from({ length: 8 }, () => 1))
    await release()
  })
})

describe.skipIf(!isPostgres)('a purchase beside other bookings', () => {
  it('counts on what the buyer is just moving between accounts', async () => {
    const order = await sold(await person({ coins: 1000n * COIN }), 1000n, '0.05')
    const buyer = await person({ funding: 10n * DOLLAR })
    await bought(buyer, order, 10n * COIN)
    const moving = await db().transaction(async (tx) => {
      await post(tx, {
        reason: 'moved_between_accounts',
        source: { type: 'move', id: 'test' },
        reference: randomUUID(),
        actor: { kind: 'system', id: 'test' },
        transfers: [
          {
            source: customerAccount(buyer.userId, 'funding'),
            destination: customerAccount(buyer.userId, 'spot'),
            currency: 'USDC',
            amount: 9n * DOLLAR
          }
        ],
        at: test.app.context.clock()
      })
      const buying = bought(buyer, order, 100n * COIN)
      buying.catch(() => undefined)
      // Not in the statement that others may share, where it waits for a moment first.
      await untilWaiting(db(), 1, 'from p2p_fill(')
      return { buying }
    })
    expect(await moving.buying).toMatchObject({ grossSettlementAmount: String(5n * DOLLAR) })
  })

  it('that is refused for another reason than funds opens no account and holds none of the house', async () => {
    const order = await sold(await person({ coins: 1000n * COIN }), 1000n, '0.05')
    await named([await person({ spot: 10n * DOLLAR })], order)
    const buyer = await person({ funding: 10n * DOLLAR })
    const counted = async (statement: SQL) => rowsOf<{ count: number }>(await db().execute(statement))[0]?.count
    const open = sql`select count(*)::integer as count from accounts`
    const before = await counted(open)
    for (const [by, refusal] of [
      [buyer, 'trader'],
      [{ ...buyer, userId: randomUUID(), sessionId: randomUUID() }, 'proof']
    ] as const)
      await db().transaction(async (tx) => {
        const purchase = { trade: randomUUID(), buyer: by, order, amount: 10n * COIN }
        expect(await buyAlone(tx, purchase, { dayLimit: '1e20', reference: '0.05' })).toMatchObject({ refusal })
        const fees = sql`select 1 from accounts where kind = 'fees'`
        expect(await counted(sql`select count(*)::integer as count from (${fees} for update skip locked) f`)).toBe(
          await counted(sql`select count(*)::integer as count from (${fees}) f`)
        )
      })
    expect(await counted(open)).toBe(before)
  })

  it('across the book never waits for the first sale of a seller while that waits for it', async () => {
    const one = await person({ coins: 1000n * COIN, funding: 100n * DOLLAR })
    // Nobody has paid them yet: their account opens with the first sale.
    const two = await person({ coins: 1000n * COIN, funding: 0n })
    // Cheaper than what the other tests have left.
    await sold(one, 100n, '0.03')
    await sold(two, 100n, '0.031')
    const third = await sold(two, 100n, '0.06')
    const across = await person({ funding: 100n * DOLLAR })
    await named([across, one], await sold(await person({ coins: 1000n * COIN }), 1000n, '0.05'))
    const release = await holding(
      sql`select 1 from accounts where owner_id = ${one.userId} and currency = 'USDC' and kind = 'funding' for update`
    )
    const swept = db().transaction((tx) => sweepAlone(tx, across, 200n * COIN))
    await untilWaiting(db())
    const first = db().transaction((tx) =>
      buyAlone(tx, { trade: randomUUID(), buyer: one, order: third, amount: 10n * COIN }, { dayLimit: '1e20', reference: '0.05' })
    )
    await untilWaiting(db(), 2)
    await release()
    expect(await swept).toEqual({ refusal: null, amount: String(200n * COIN) })
    expect(await first).toMatchObject({ refusal: null, amount: String(10n * COIN) })
  })
})
