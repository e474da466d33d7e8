/** Staking payouts: a whole term day by day, concurrent and failing runs, and a fund that runs empty. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { and, asc, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { maturesAt } from '#lib/domain/orders/term.ts'
import { scheduleOf } from '#lib/domain/staking/schedule.ts'
import { rewardOfTerm } from '#lib/domain/staking/terms.ts'
import {
  AlreadyBookedError,
  customerAccount,
  house,
  houseBalance,
  InsufficientFundsError,
  lockedHolding,
  post,
  verifyLedger
} from '#lib/server/ledger/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { cancelPayouts, fillFund, stakeChecks } from '#lib/server/staking/index.ts'
import { FundEmptyError, payDue } from '#lib/server/staking/pay.ts'
import { payouts } from '#lib/server/staking/schema.ts'
import { planMissing } from '#lib/server/staking/stake.ts'
import { holding } from '#support/lockWaits.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const DAY = 86_400
const PTC_1000 = { '12': 83, '24': 84 } as const
const STAFF = { kind: 'staff', id: 'test' } as const

let test: TestApp
// A new application for each test: customers must sign up before its clock moves, because a cookie cannot be set years ahead.
beforeEach(async () => {
  test = await createTestApp()
})
afterEach(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

type Months = keyof typeof PTC_1000

async function orderPtc(customer: Customer, months: Months): Promise<{ id: string; pay: () => Promise<bigint> }> {
  const { body } = await test.send('POST', '/orders/combo', {
    token: customer.token,
    body: { comboConfigId: PTC_1000[months], bankAccountId: 1 }
  })
  const { id, euroToPay } = body.data
  const pay = async () => {
    await test.arrive({ remittance: id, amountCents: BigInt(euroToPay.replace('.', '')) })
    return BigInt((await test.ask(customer, 'getOrder', { params: { id } })).ptcAmount)
  }
  return { id, pay }
}

async function stake(customer: Customer, months: Months): Promise<{ id: string; units: bigint }> {
  const { id, pay } = await orderPtc(customer, months)
  return { id, units: await pay() }
}

const fill = (currency: string, units: bigint, reference: string) =>
  fillFund(test.app.context, { currency, units, reference, actor: STAFF })
const fundOf = (currency: string) => houseBalance(test.app.context.db, 'staking_rewards', currency)
const walletOf = async (customer: Customer) => (await test.ask(customer, 'getBalance')).PTC.wallet
const paidOf = (orderId: string) =>
  test.app.context.db
    .select()
    .from(payouts)
    .where(and(eq(payouts.orderId, orderId), sql`paid_at is not null`))
    .orderBy(asc(payouts.dueAt), asc(payouts.kind))

describe('a term of two years, day by day', () => {
  it('pays each quarter on its day, returns the tokens on the last, and every line is in the statement', async () => {
    const customer = await test.customer()
    const { id, units } = await stake(customer, '24')
    const reward = rewardOfTerm(units, 1800, 24)
    await fill('PTC', reward, `term:${id}`)
    const start = test.app.context.clock()
    const days: string[] = []
    for (let day = 1; day <= 731; day += 1) {
      test.pass(DAY)
      if ((await payDue(test.app.context)) > 0) days.push(test.app.context.clock().toISOString().slice(0, 10))
    }
    const expected = Array.from({ length: 8 }, (_, quarter) => {
      const due = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 3 * (quarter + 1), start.getUTCDate()))
      return due.toISOString().slice(0, 10)
    })
    expect(days).toEqual(expected)
    const paid = await paidOf(id)
    expect(paid.filter(({ kind }) => kind === 'reward').reduce((sum, payout) => sum + payout.units, 0n)).toBe(reward)
    expect(paid.filter(({ kind }) => kind === 'principal').map((payout) => payout.units)).toEqual([units])
    expect(await walletOf(customer)).toMatchObject({ spotBalance: String(units) })
    expect((await test.ask(customer, 'getBalance')).PTC).toMatchObject({ rewardBalance: String(reward), stakedBalance: '0' })
    expect(await fundOf('PTC')).toBe(0n)

    const { lines } = await test.ask(customer, 'getStatement', { query: { currency: 'PTC', account: 'reward' } })
    expect(lines.filter(({ kind }: { kind: string }) => kind === 'staking')).toHaveLength(8)
    const { lines: feed } = await test.ask(customer, 'listActivity', {})
    expect(feed.filter(({ name }: { name: string }) => name === 'staking_reward')).toHaveLength(8)
    expect(feed.filter(({ name }: { name: string }) => name === 'staking_returned')).toHaveLength(1)
    for (const [kind, name] of [
      ['reward', 'staking_reward'],
      ['transfer', 'staking_returned']
    ] as const) {
      const { lines: ofKind } = await test.ask(customer, 'listActivity', { query: { kind } })
      expect(new Set(ofKind.map((line: { name: string }) => line.name)), kind).toEqual(new Set([name]))
    }
    const subjects = (await test.mailsTo(customer.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => /^Your staking paid/.test(subject))).toHaveLength(8)
    expect(subjects.filter((subject) => /has been returned/.test(subject))).toHaveLength(1)
    expect(await payDue(test.app.context)).toBe(0)
  })
})

describe('whatever happens to a run', () => {
  it('is paid once where two run at the same time, and where one sleeps for months', async () => {
    const customer = await test.customer()
    const { id, units } = await stake(customer, '12')
    await fill('PTC', rewardOfTerm(units, 1200, 12), `sleep:${id}`)
    test.pass(200 * DAY)
    await Promise.all([payDue(test.app.context), payDue(test.app.context), payDue(test.app.context)])
    expect((await paidOf(id)).map(({ kind, number }) => `${kind} ${number}`)).toEqual(['reward 1', 'reward 2'])
    expect(BigInt((await test.ask(customer, 'getBalance')).PTC.rewardBalance)).toBe(
      (await paidOf(id)).reduce((sum, one) => sum + one.units, 0n)
    )
    test.pass(200 * DAY)
    await payDue(test.app.context)
    expect(await paidOf(id)).toHaveLength(5)
  })

  it('leaves nothing half done where it fails: what was booked is marked, what is marked was booked', async () => {
    const customer = await test.customer()
    const { id, units } = await stake(customer, '12')
    await fill('PTC', rewardOfTerm(units, 1200, 12), `half:${id}`)
    test.pass(100 * DAY)
    const { context } = test.app
    // Fail at the mails (rows in `jobs`): a batch writes them last.
    await context.db.execute(
      sql`create function fail() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$`
    )
    await context.db.execute(sql`create trigger fail before insert on jobs for each statement execute function fail()`)
    await expect(payDue(context)).rejects.toThrow()
    await context.db.execute(sql`drop trigger fail on jobs`)
    expect(await paidOf(id)).toEqual([])
    expect((await test.verifyLedger()).problems).toEqual([])
    await payDue(context)
    expect(await paidOf(id)).toHaveLength(1)
    test.pass(300 * DAY)
    await payDue(context)
  })
})

describe('a payout that cannot be made', () => {
  it('keeps no other back, is named, and ends where an operator cancels it', async () => {
    const customers = [await test.customer(), await test.customer(), await test.customer()]
    const staked = []
    for (const customer of customers) staked.push({ customer, ...(await stake(customer, '12')) })
    const [bad, ...good] = staked.sort((a, b) => (a.id < b.id ? -1 : 1))
    if (!bad) throw new Error('There is a first one')
    await fill('PTC', 10n ** 15n, `poison:${bad.id}`)
    // An operator took the staked tokens back, because the bank returned the payment.
    await test.adjust([
      {
        source: customerAccount(bad.customer.userId, 'staked'),
        destination: house('treasury'),
        currency: 'PTC',
        amount: bad.units
      }
    ])
    expect((await test.verifyLedger()).problems).toEqual([expect.stringContaining(bad.customer.userId)])
    test.pass(370 * DAY)
    await expect(payDue(test.app.context)).rejects.toThrow(`${bad.id} 1: insufficient_funds`)
    for (const { id } of good) expect(await paidOf(id)).toHaveLength(5)
    expect((await paidOf(bad.id)).filter(({ kind }) => kind === 'principal')).toEqual([])
    const cancel = () => cancelPayouts(test.app.context, { orderId: bad.id, actor: STAFF, why: 'The payment was taken back.' })
    expect(await cancel()).toBe(1)
    expect(await cancel()).toBe(0)
    expect(await payDue(test.app.context)).toBe(0)
    expect(await test.ask(bad.customer, 'getStakingSummary')).toMatchObject({ staked: [], next: null })
  })

  it('is written down where an older process completed the order', async () => {
    const customer = await test.customer()
    const { id } = await stake(customer, '12')
    const { db } = test.app.context
    await db.execute(sql`alter table payouts disable trigger all`)
    await db.execute(sql`delete from payouts where order_id = ${id}`)
    await db.execute(sql`alter table payouts enable trigger all`)
    await db.execute(sql`update stake_sums set staked_units = 0, planned_count = 0 where user_id = ${customer.userId}`)
    expect((await test.verifyLedger()).problems).not.toEqual([])
    await planMissing(test.app.context)
    expect((await test.ask(customer, 'getStake', { params: { id } })).payouts).toHaveLength(5)
  })

  it('is found by the check of the books where somebody else would be paid, or another amount, or an order without a stake', async () => {
    const [owner, thief] = [await test.customer(), await test.customer()]
    const { id } = await stake(owner, '12')
    const { db } = test.app.context
    const forged = [
      sql`update payouts set user_id = ${thief.userId} where kind = 'reward' and number = 2`,
      sql`update payouts set units = units + 1 where kind = 'reward' and number = 2`,
      sql`update payouts set due_at = due_at - interval '1 day' where kind = 'reward' and number = 2`,
      sql`insert into payouts (order_id, kind, number, user_id, currency, units, due_at) values (${id}, 'reward', 9, ${owner.userId}, 'PTC', 5, now())`
    ]
    for (const change of forged) {
      const rolledBack = db.transaction(async (tx) => {
        await tx.execute(sql`alter table payouts disable trigger all`)
        await tx.execute(change)
        const { problems } = await verifyLedger(tx as never, stakeChecks)
        throw new Error(problems.join())
      })
      await expect(rolledBack).rejects.toThrow("a stake's payouts are not those of its terms")
    }
  })
})

describe('the fund', () => {
  it('stops rewards where it is empty, in the order of due date and stake, and nothing else; filled, they go on', async () => {
    const early = await orderPtc(await test.customer(), '12')
    const late = await orderPtc(await test.customer(), '12')
    const reward = rewardOfTerm(await early.pay(), 1200, 12)
    test.pass(DAY)
    await late.pay()
    const quarter = reward / 4n
    await fill('PTC', quarter, `dry:${early.id}`)
    test.pass(95 * DAY)
    await expect(payDue(test.app.context)).rejects.toBeInstanceOf(FundEmptyError)
    expect(await paidOf(early.id)).toHaveLength(1)
    expect(await paidOf(late.id)).toHaveLength(0)
    // The staked tokens still return at the end of the year: they are the customer's, not the fund's.
    test.pass(300 * DAY)
    await expect(payDue(test.app.context)).rejects.toBeInstanceOf(FundEmptyError)
    for (const { id } of [early, late]) expect((await paidOf(id)).filter(({ kind }) => kind === 'principal')).toHaveLength(1)
    await fill('PTC', 2n * reward, `filled:${early.id}`)
    await payDue(test.app.context)
    for (const { id } of [early, late]) expect(await paidOf(id)).toHaveLength(5)
  })

  it('cannot go below zero, and is never filled twice for the same reason', async () => {
    const has = await fundOf('CPC')
    const customer = await test.customer()
    const take = (amount: bigint) =>
      test.adjust([
        { source: house('staking_rewards'), destination: customerAccount(customer.userId, 'reward'), currency: 'CPC', amount }
      ])
    await expect(take(has + 1n)).rejects.toBeInstanceOf(InsufficientFundsError)
    await fill('CPC', 10n, 'once')
    await expect(fill('CPC', 10n, 'once')).rejects.toBeInstanceOf(AlreadyBookedError)
    await expect(take(has + 11n)).rejects.toBeInstanceOf(InsufficientFundsError)
    await take(10n)
    expect(await fundOf('CPC')).toBe(has)
  })
})

describe.skipIf(process.env.ENGINE !== 'postgres')('many customers at once', () => {
  it('a customer whose account is busy is paid last, and holds up nobody; one whose payout is refused is left alone', async () => {
    const [busy, wrong, other] = [await test.customer(), await test.customer(), await test.customer()]
    const stakes = [await stake(busy, '12'), await stake(wrong, '12'), await stake(other, '12')]
    const [ofBusy = '', ofWrong = '', ofOther = ''] = stakes.map(({ id }) => id)
    await fill('PTC', 10n ** 15n, `many:${ofBusy}`)
    test.pass(95 * DAY)
    expect(await payDue(test.app.context)).toBe(3)
    test.pass(92 * DAY)
    const { db, clock } = test.app.context
    await post(db, {
      reason: 'adjustment',
      source: { type: 'adjustment', id: 'test' },
      reference: `payout:${ofWrong}:reward:2`,
      actor: STAFF,
      transfers: [{ source: house('chain'), destination: house('cold'), currency: 'PTC', amount: 1n }],
      at: clock()
    })
    const release = await heldBy(busy)
    const paying = payDue(test.app.context).catch((error: Error) => error.message)
    await vi.waitFor(async () => expect(await paidOf(ofOther)).toHaveLength(2), { timeout: 4000 })
    expect(await paidOf(ofBusy)).toHaveLength(1)
    await release()
    expect(await paying).toContain(ofWrong)
    expect(await paidOf(ofBusy)).toHaveLength(2)
    expect(await paidOf(ofWrong)).toHaveLength(1)
  })

  it('one whose account is busy keeps their turn in the fund', async () => {
    const made: { customer: Customer; id: string; pay: () => Promise<bigint> }[] = []
    for (let n = 0; n < 3; n += 1) {
      const customer = await test.customer()
      made.push({ customer, ...(await orderPtc(customer, '12')) })
    }
    // Rewards of one day are paid by their order's number.
    const ordered = made.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const busy = ordered[0]?.customer as Customer
    let units = 0n
    for (const { pay } of ordered) {
      units = await pay()
      test.pass(60)
    }
    const [ofBusy = '', ofNext = '', ofLast = ''] = ordered.map(({ id }) => id)
    const reward = rewardOfTerm(units, 1200, 12) / 4n
    await fill('PTC', 3n * reward, `first:${ofBusy}`)
    test.pass(95 * DAY)
    expect(await payDue(test.app.context)).toBe(3)
    // Enough for two of three.
    await fill('PTC', 2n * reward, `turn:${ofBusy}`)
    test.pass(92 * DAY)
    const release = await heldBy(busy)
    const paying = payDue(test.app.context).catch((error: unknown) => error)
    await vi.waitFor(async () => expect(await paidOf(ofNext)).toHaveLength(2), { timeout: 4000 })
    await release()
    expect(await paying).toBeInstanceOf(FundEmptyError)
    expect([await paidOf(ofBusy), await paidOf(ofNext), await paidOf(ofLast)].map(({ length }) => length)).toEqual([2, 2, 1])
  })
})

/** Keeps the customer's accounts locked until the returned function is called. */
const heldBy = ({ userId }: Customer) => holding(test.app.context.db, (tx) => lockedHolding(tx, userId, 'PTC'))

describe('payouts', () => {
  it('are never changed or deleted', async () => {
    const { db } = test.app.context
    await fill('PTC', 10n ** 15n, 'kept')
    for (const months of ['12', '24'] as const) await stake(await test.customer(), months)
    test.pass(100 * DAY)
    await payDue(test.app.context)
    for (const change of [
      'update payouts set units = units + 1',
      'update payouts set paid_at = null where paid_at is not null',
      'delete from payouts'
    ])
      await expect(db.execute(sql.raw(change)), change).rejects.toThrow()
  })

  it('of stakes that are older than the table are what new ones get: the migration says the same as the schedule', async () => {
    const migration = readFileSync('migrations/0010_staking.sql', 'utf8')
    const planned = /SELECT order_id, kind[\s\S]*WHERE units > 0/.exec(migration)?.[0]
    const anyStake = fc.record({
      units: fc.bigInt({ min: 1n, max: 10n ** 18n }),
      rateHundredths: fc.constantFrom(1, 1200, 1800),
      months: fc.constantFrom(12, 24),
      day: fc.integer({ min: 0, max: 4000 })
    })
    const made = fc.sample(anyStake, 200).map(({ day, ...stake }, index) => {
      const startsAt = new Date(Date.UTC(2024, 0, 1 + day))
      return { ...stake, startsAt, orderId: `order ${index}`, endsAt: maturesAt(startsAt, stake.months) }
    })
    const rows = made.map(({ orderId, units, months, rateHundredths, startsAt, endsAt }) => ({
      order_id: orderId,
      user_id: randomUUID(),
      currency: 'PTC',
      units: units.toString(),
      months,
      rate_hundredths: rateHundredths,
      starts_at: startsAt,
      ends_at: endsAt
    }))
    const answer = await test.app.context.db.execute(
      sql`with stakes as (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as s(order_id text, user_id uuid, currency text, units numeric(78, 0), months smallint, rate_hundredths integer, starts_at timestamptz, ends_at timestamptz)
      ) select order_id, kind, number, units::text, to_char(due_at at time zone 'UTC', 'YYYY-MM-DD') as day from (${sql.raw(planned ?? '')}) p`
    )
    const line = (order: string, kind: string, number: number, units: bigint | string, day: string) =>
      [order, kind, number, units, day].join(' ')
    const found = rowsOf<{ order_id: string; kind: string; number: number; units: string; day: string }>(answer)
    expect(found.map((row) => line(row.order_id, row.kind, row.number, row.units, row.day)).sort()).toEqual(
      made
        .flatMap((stake) =>
          scheduleOf(stake).map(({ kind, number, units, dueAt }) =>
            line(stake.orderId, kind, number, units, dueAt.toISOString().slice(0, 10))
          )
        )
        .sort()
    )
  })
})
