/** Documents in unusual cases: reversed bookings, bookings around the turn of a year, and a customer whose document fails. */
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDocuments } from '#lib/server/documents/make.ts'
import { makeMissingReceipts } from '#lib/server/documents/receipts.ts'
import { customerAccount, house, post, type Transfer } from '#lib/server/ledger/index.ts'
import { keepDailyRates } from '#lib/server/rates/daily.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const ISSUER = { name: 'Wallet GmbH', address: 'Musterstrasse 1' }
let test: TestApp
let customer: Customer
beforeEach(async () => {
  test = await createTestApp()
  customer = await test.customer()
})
afterEach(() => test.close())

const to = async (moment: string) => {
  test.pass((Date.parse(moment) - test.app.context.clock().getTime()) / 1000)
  await keepDailyRates(test.app.context, await test.app.ports.rates.current())
}
const make = () => makeDocuments(test.app.context, ISSUER)
const csvOf = async (who: Customer, name: string): Promise<string[][]> => {
  const file = await test.app.readDocument({ userId: who.userId, email: who.email } as never, name)
  return String(file?.body ?? '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
}
const bookedAt = (at: string, transfer: Transfer) =>
  post(test.app.context.db, {
    reason: 'adjustment',
    source: { type: 'adjustment', id: at },
    reference: `adjustment:${at}`,
    actor: { kind: 'system', id: 'test' },
    transfers: [transfer],
    at: new Date(at)
  })

describe('the tax report', () => {
  it('takes off what was taken back: a reward and its reversal come to nothing', async () => {
    await to('2026-12-01T10:00:00Z')
    const reward = {
      source: house('rewards'),
      destination: customerAccount(customer.userId, 'reward'),
      currency: 'CPC',
      amount: 10n ** 13n
    }
    await test.adjust([reward])
    await test.adjust([{ ...reward, source: reward.destination, destination: reward.source }])
    await to('2027-01-01T01:00:00Z')
    await make()
    const lines = (await csvOf(customer, 'tax-2026.csv')).slice(1)
    expect(lines.map(([, section]) => section)).toEqual(['Rewards', 'Rewards'])
    expect(lines.map(([, , , , amount]) => amount)).toEqual(['100000.00000000', '-100000.00000000'])
    expect(Number(lines[0]?.[5]) + Number(lines[1]?.[5])).toBe(0)
    expect(Number(lines[0]?.[5])).toBeGreaterThan(0)
  })

  it('goes by the date of a booking, even where one of the next year was written before one of this year', async () => {
    const give = { source: house('owed'), destination: customerAccount(customer.userId, 'spot'), currency: 'CPC', amount: 5n }
    await to('2026-12-31T23:59:00Z')
    await bookedAt('2027-01-01T00:00:00.100Z', give)
    await bookedAt('2026-12-31T23:59:59.900Z', { ...give, amount: 7n })
    await to('2027-01-01T01:00:00Z')
    await make()
    expect((await csvOf(customer, 'tax-2026.csv')).slice(1).map(([date, , , , amount]) => [date, amount])).toEqual([
      ['2026-12-31 23:59:59', '0.00000007']
    ])
    await to('2028-01-01T01:00:00Z')
    await make()
    expect((await csvOf(customer, 'tax-2027.csv')).slice(1).map(([, , , , amount]) => amount)).toEqual(['0.00000005'])
    expect((await test.verifyLedger()).problems).toEqual([])
  })
})

describe('somebody whose document cannot be made', () => {
  it('keeps nobody else’s back, neither in this quarter nor in the next, and the job says so', async () => {
    const others = [await test.customer(), await test.customer()]
    for (const { userId } of [customer, ...others])
      await test.adjust([
        { source: house('treasury'), destination: customerAccount(userId, 'spot'), currency: 'CPC', amount: 5n }
      ])
    // A currency that the product does not know.
    await test.adjust([
      { source: house('treasury'), destination: customerAccount(customer.userId, 'spot'), currency: 'XYZ', amount: 5n }
    ])
    await to('2027-04-01T01:00:00Z')
    await expect(make()).rejects.toThrow()
    for (const other of others)
      expect((await test.ask(other, 'listDocuments')).map(({ period }: { period: string }) => period)).toEqual([
        '2027-Q1',
        '2026-Q4',
        '2026'
      ])
    expect(await test.ask(customer, 'listDocuments')).toEqual([expect.objectContaining({ kind: 'tax' })].slice(1))
  })
})

describe('a receipt that cannot be made', () => {
  it('keeps no other back', async () => {
    const buy = async (who: Customer) => {
      const data = await test.ask(who, 'createOrder', { body: { comboConfigId: 82, bankAccountId: 1 } })
      await test.arrive({ remittance: data.id, amountCents: BigInt(data.euroToPay.replace('.', '')) })
      return data.id as string
    }
    const ids = [await buy(customer), await buy(customer), await buy(await test.customer())].sort()
    await test.mailsTo(customer.email)
    // As if the orders had been completed before receipts existed.
    for (const change of [
      'alter table receipts disable trigger all',
      'delete from receipts',
      'alter table receipts enable trigger all'
    ])
      await test.app.context.db.execute(change)
    await test.app.context.db.execute(sql`update orders set config_id = 999 where id = ${ids[0] ?? ''}`)
    await expect(makeMissingReceipts(test.app.context, ISSUER)).rejects.toThrow('999')
    const made = await test.app.context.db.execute('select order_id from receipts order by 1')
    expect((made as unknown as { rows: { order_id: string }[] }).rows.map((row) => row.order_id)).toEqual(ids.slice(1))
  })

  it('says the euros that were booked, not those that were asked for', async () => {
    const data = await test.ask(customer, 'createOrder', { body: { comboConfigId: 82, bankAccountId: 1 } })
    const short = BigInt(data.euroToPay.replace('.', '')) - 500n
    const { assignPayments } = await import('#lib/server/payments/index.ts')
    const { hooks } = await import('#support/hooks.ts')
    await test.arrive({ remittance: data.id, amountCents: short })
    const { rows } = (await test.app.context.db.execute('select id from payments')) as unknown as { rows: { id: string }[] }
    await assignPayments(
      test.app.context,
      { rates: test.app.ports.rates, ...hooks },
      { paymentIds: [BigInt(rows[0]?.id ?? 0)], orderId: data.id, actor: { kind: 'staff', id: 'test' }, why: 'A little short.' }
    )
    await test.mailsTo(customer.email)
    const { extractText, getDocumentProxy } = await import('unpdf')
    const file = await test.app.readDocument(
      { userId: customer.userId, email: customer.email } as never,
      `receipt-${data.id}.pdf`
    )
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(file?.body as Uint8Array)), { mergePages: true })
    expect(text).toContain('€951.80')
  })
})
