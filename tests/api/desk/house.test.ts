/** What is the house's own at the desk: the terms and who accepted them, the promo code, documents that are missing, the books. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let desk: ReturnType<typeof deskOf>
let finn: Member
let ada: Customer
beforeAll(async () => {
  test = await createTestApp()
  desk = deskOf(test)
  finn = await desk.member(await desk.admins(), 'Finn', ['finance'])
  ada = await test.signUp()
})
afterAll(() => test.close())

const houseOf = async (): Promise<DeskAnswer<'getHouse'>> => (await finn.call('getHouse')).body.data
const run = (query: ReturnType<typeof sql>) => test.app.context.db.execute(query)

describe('terms', () => {
  const accepted = async (title: string) => (await houseOf()).terms.find((text) => text.title === title)

  it('counts who accepted the version in force, of all customers', async () => {
    expect(await accepted('Terms of Service')).toMatchObject({ by: 'customers', accepted: 1, of: 1 })
    const bob = await test.customer()
    await run(
      sql`insert into terms_acceptances (user_id, document, version, accepted_at) values (${bob.userId}, 'terms-of-service', '0.1', now())`
    )
    expect(await accepted('Terms of Service'), 'an earlier version does not count').toMatchObject({ accepted: 2, of: 2 })
    expect(await accepted('Privacy Policy')).toMatchObject({ accepted: 2, of: 2 })
  })
})

describe('promo code', () => {
  it('counts each customer once, by code, without the code', async () => {
    expect((await houseOf()).promo).toEqual([])
    await test.ask(ada, 'checkPromoCode', { body: { code: 'ANNIVERSARY' } })
    const bob = await test.customer()
    await run(sql`insert into promo_unlocks (user_id, code_hash, unlocked_at) values (${bob.userId}, 'older', '2026-01-01')`)
    const { promo } = await houseOf()
    expect(promo).toMatchObject([{ customers: 1 }, { customers: 1, last: '2026-01-01T00:00:00.000Z' }])
    expect(JSON.stringify(promo)).not.toMatch(/ANNIVERSARY|older/)
  })
})

describe('documents', () => {
  it('names a completed order that has no receipt 15 minutes later', async () => {
    const { id, euroToPay } = await test.ask(ada, 'createOrder', { body: { comboConfigId: 19, bankAccountId: 1 } })
    await test.arrive({ remittance: id, amountCents: BigInt(euroToPay.replace('.', '')) })
    // As if the worker had failed to make it.
    const isMade = async () =>
      ((await run(sql`select 1 from receipts where order_id = ${id}`)) as { rows: unknown[] }).rows.length
    await expect.poll(isMade, { timeout: 20_000 }).toBe(1)
    await behindTheBack(test.app.context.db, sql`delete from receipts where order_id = ${id}`)
    expect((await houseOf()).documents.withoutReceipt).toEqual([])
    test.pass(901)
    expect((await houseOf()).documents.withoutReceipt).toMatchObject([{ orderId: id, customerId: ada.userId }])
  })

  it('names a quarter that is not done', async () => {
    expect((await houseOf()).documents).toMatchObject({ quarters: [], error: null })
    await run(
      sql`insert into jobs (kind, payload, run_at, created_at, tries, last_error) values ('documents', '{}', now() + interval '9 minutes', now(), 1, 'The disk is full')`
    )
    expect((await houseOf()).documents.error).toBe('The disk is full')
    await run(sql`insert into quarter_cuts (quarter, last_posting, taken_at) values ('2026-Q2', 0, '2026-07-01')`)
    expect((await houseOf()).documents.quarters).toEqual([{ quarter: '2026-Q2', closedAt: '2026-07-01T00:00:00.000Z', made: 0 }])
  })
})

describe('books', () => {
  it('shows what is ours in each currency, below zero where we owe', async () => {
    await test.adjust([
      { source: house('owed'), destination: house('treasury'), currency: 'ETH', amount: 700n },
      { source: house('treasury'), destination: house('fees'), currency: 'ETH', amount: 200n }
    ])
    expect((await houseOf()).books.filter(({ currency }) => currency === 'ETH')).toEqual([
      { currency: 'ETH', kind: 'fees', amount: '200' },
      { currency: 'ETH', kind: 'owed', amount: '-700' },
      { currency: 'ETH', kind: 'treasury', amount: '500' }
    ])
  })
})

describe('lines', () => {
  const linesOf = async (query: Record<string, string>): Promise<DeskAnswer<'listLines'>> =>
    (await finn.call('listLines', { query })).body.data

  it('add up to the balance, with the other side of each, in pages', async () => {
    for (let n = 1n; n <= 55n; n += 1n)
      await test.adjust([{ source: house('treasury'), destination: house('fees'), currency: 'BTC', amount: n }])
    await test.adjust([{ source: house('fees'), destination: customerAccount(ada.userId, 'spot'), currency: 'BTC', amount: 4n }])
    const first = await linesOf({ kind: 'fees', currency: 'BTC' })
    expect(first.lines).toHaveLength(50)
    expect(first.lines[0]).toMatchObject({ amount: '-4', counterpart: 'spot', customerId: ada.userId, reason: 'adjustment' })
    const rest = await linesOf({ kind: 'fees', currency: 'BTC', before: first.next ?? '' })
    expect(rest).toMatchObject({ next: null })
    const sum = [...first.lines, ...rest.lines].reduce((total, { amount }) => total + BigInt(amount), 0n)
    expect(sum.toString()).toBe(first.balance)
    expect(new Set([...first.lines, ...rest.lines].map(({ id }) => id)).size).toBe(56)
  })

  it('are those of a day', async () => {
    const day = (seconds: number) => new Date(test.app.context.clock().getTime() + seconds * 1000).toISOString().slice(0, 10)
    const today = await linesOf({ kind: 'fees', currency: 'BTC', day: day(0) })
    expect(today.lines).toHaveLength(50)
    test.pass(86_400)
    await desk.signIn(finn)
    await test.adjust([{ source: house('treasury'), destination: house('fees'), currency: 'BTC', amount: 9n }])
    expect((await linesOf({ kind: 'fees', currency: 'BTC', day: day(0) })).lines).toMatchObject([{ amount: '9' }])
    expect((await linesOf({ kind: 'fees', currency: 'BTC', day: day(86_400) })).lines).toEqual([])
    expect((await finn.call('listLines', { query: { kind: 'spot', currency: 'BTC' } })).status).toBe(422)
  })
})
