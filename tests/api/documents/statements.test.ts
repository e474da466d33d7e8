/** Quarterly statements and yearly tax reports: made once, with sums that add up, and never changed afterwards. */
import { eq } from 'drizzle-orm'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDocuments } from '#lib/server/documents/make.ts'
import { documents, quarterCuts } from '#lib/server/documents/schema.ts'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { keepDailyRates } from '#lib/server/rates/daily.ts'
import { fillFund, payDue } from '#lib/server/staking/index.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const ISSUER = { name: 'Wallet GmbH', address: 'Musterstrasse 1' }
let test: TestApp
let customer: Customer
let other: Customer
let stranger: Customer

async function buy(who: Customer, comboConfigId: number): Promise<string> {
  const { data } = { data: await test.ask(who, 'createOrder', { body: { comboConfigId, bankAccountId: 1 } }) }
  await test.arrive({ remittance: data.id, amountCents: BigInt(data.euroToPay.replace('.', '')) })
  return data.id
}
const titleOf = ({ subject }: { subject: string }) => subject.replace(/ · .*/, '')
const make = () => makeDocuments(test.app.context, ISSUER)
const to = async (moment: string) => {
  test.pass((Date.parse(moment) - test.app.context.clock().getTime()) / 1000)
  await keepDailyRates(test.app.context, await test.app.ports.rates.current())
}
const listed = async (who = customer): Promise<string[]> =>
  (await test.ask(who, 'listDocuments')).map(({ kind, period }: { kind: string; period: string }) => `${kind} ${period}`)
const rowsOf = (who: Customer) => test.app.context.db.select().from(documents).where(eq(documents.userId, who.userId))
const file = (who: Customer, name: string) => test.app.readDocument({ userId: who.userId, email: who.email } as never, name)
async function textOf(name: string): Promise<string> {
  const found = await file(customer, name)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(found?.body as Uint8Array)), { mergePages: true })
  return text.replace(/\s+/g, ' ')
}

beforeAll(async () => {
  test = await createTestApp()
  customer = await test.customer({ email: 'grace@example.com' })
  other = await test.customer()
  stranger = await test.customer()
  await to('2026-11-22T09:00:00Z')
  await fillFund(test.app.context, {
    currency: 'PTC',
    units: 10n ** 15n,
    reference: 'docs',
    actor: { kind: 'staff', id: 'test' }
  })
  await test.ask(customer, 'checkPromoCode', { body: { code: 'ANNIVERSARY' } })
  await buy(customer, 84)
  await buy(customer, 146)
  await buy(other, 19)
  await to('2026-12-31T23:59:59.500Z')
  await test.adjust([
    { source: house('treasury'), destination: customerAccount(customer.userId, 'spot'), currency: 'CPC', amount: 500n }
  ])
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

describe('a quarter', () => {
  it('is closed an hour after its end, not before', async () => {
    await to('2027-01-01T00:00:00Z')
    await test.adjust([
      { source: house('treasury'), destination: customerAccount(customer.userId, 'spot'), currency: 'CPC', amount: 7n }
    ])
    await to('2027-01-01T00:59:59Z')
    expect(await make()).toBe(0)
    await to('2027-01-01T01:00:00Z')
    // A statement and a tax report for each of the two customers.
    expect(await make()).toBe(4)
    expect(await listed()).toEqual(['statement 2026-Q4', 'tax 2026'])
  })

  it('has what was booked in its last second, and not what was booked in the first of the next', async () => {
    const row = (await rowsOf(customer)).find(({ kind }) => kind === 'statement')
    expect(row).toMatchObject({ opening: {}, closing: { CPC: '500' }, lines: 4 })
    expect(row?.closing.PTC).toBe((111_111_111_111_111n + 166_666_666_666_666n + 16_666_666_666_666n).toString())
  })

  it('is told once by a mail without attachment', async () => {
    await make()
    const mails = (await test.mailsTo(customer.email)).filter(({ subject }) => /statement|tax report/.test(subject))
    expect(mails.map(titleOf).sort()).toEqual(['Your statement 2026-Q4 is ready', 'Your tax report 2026 is ready'])
    expect(mails[0]?.text).toContain('/profile#documents')
  })

  it('is made once, however often and by how many at a time', async () => {
    await to('2027-04-01T02:00:00Z')
    const made = await Promise.all([make(), make(), make()])
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(2)
    expect(await make()).toBe(0)
    const [first, second] = (await rowsOf(customer)).filter(({ kind }) => kind === 'statement')
    expect(second?.opening).toEqual(first?.closing)
    expect(second?.closing.CPC).toBe('507')
  })

  it('is never cut again or changed', async () => {
    const { db } = test.app.context
    await expect(db.update(quarterCuts).set({ lastPosting: 1n })).rejects.toThrow()
    await expect(db.delete(quarterCuts)).rejects.toThrow()
    await expect(db.update(documents).set({ csv: '' })).rejects.toThrow()
    await expect(db.delete(documents)).rejects.toThrow()
  })

  it('that nobody closed while the product slept is closed later, without a mail about what is long past', async () => {
    await payDue(test.app.context)
    await to('2028-01-02T00:00:00Z')
    await payDue(test.app.context)
    await make()
    expect(await listed()).toEqual([
      'statement 2027-Q4',
      'statement 2027-Q3',
      'statement 2027-Q2',
      'statement 2027-Q1',
      'tax 2027',
      'statement 2026-Q4',
      'tax 2026'
    ])
    const told = (await test.mailsTo(customer.email)).filter(({ subject }) => subject.includes('statement 2027'))
    expect(told.map(titleOf).sort()).toEqual(['Your statement 2027-Q1 is ready', 'Your statement 2027-Q4 is ready'])
  })
})

describe('the documents', () => {
  it('are real text: holder, balances, movements, schedule', async () => {
    const text = await textOf('statement-2026-Q4.pdf')
    for (const part of [
      'Statement of your holdings',
      'Ada Lovelace',
      'grace@example.com',
      '01.10.2026 to 31.12.2026',
      '2,944,444.44444443'
    ])
      expect(text).toContain(part)
    expect(text).toContain('+1,111,111.11111111')
    expect(text).toMatch(/Token purchase RF\d{14}/)
    expect(text).toContain('Bonus release')
    expect(text).toContain('$2,649.99 · €2,437.99')
  })

  it('have each line in the file for spreadsheets, which adds up', async () => {
    const csv = String((await file(customer, 'statement-2026-Q4.csv'))?.body)
      .trim()
      .split('\r\n')
    const ptc = csv.filter((line) => line.startsWith('PTC,')).map((line) => line.split(','))
    expect(ptc).toHaveLength(1 + 3 + 1)
    expect(ptc[0]?.slice(2)).toEqual(['Opening balance', '', '0.00000000', '', ''])
    expect(ptc[2]?.[4]).toBe(ptc[3] && (Number(ptc[3][4]) - Number(ptc[3][3])).toFixed(8))
    expect(ptc[4]?.slice(2, 5)).toEqual(['Closing balance', '', '2944444.44444443'])
  })

  it('of the year sort acquisitions, rewards and disposals with their values', async () => {
    const text = await textOf('tax-2027.pdf')
    expect(text).toContain('Acquisitions, rewards and disposals in 2027')
    expect(text).toContain('Staking')
    const csv = String((await file(customer, 'tax-2026.csv'))?.body)
    const acquired = csv.split('\r\n').filter((line) => line.includes('Acquisitions,Token purchase'))
    // The price paid, not the price of the day: both packages cost $1,000, at EUR 0.92 per USD.
    expect(acquired.map((line) => line.split(',').slice(-2))).toEqual([
      ['1000.00', '920.00'],
      ['1000.00', '920.00']
    ])
    expect(csv.split('\r\n').filter((line) => line.includes(',Rewards,'))).toHaveLength(1)
  })

  it('are nobody else’s, and nothing else is a document', async () => {
    const names = ['statement-2026-Q4.pdf', 'statement-2026-Q4.csv']
    for (const name of names) expect(await file(stranger, name)).toBeUndefined()
    for (const name of ['statement-2026-Q3.pdf', 'x-2026.pdf', '../statement-2026-Q4.pdf', 'statement-2026-Q4.exe', ''])
      expect(await file(customer, name)).toBeUndefined()
    expect(await listed(stranger)).toEqual([])
  })

  it('that were forged are found', async () => {
    const { db } = test.app.context
    const { verifyLedger } = await import('#lib/server/ledger/index.ts')
    const { documentChecks } = await import('#lib/server/documents/index.ts')
    const forged = db.transaction(async (tx) => {
      await tx.execute('alter table documents disable trigger all')
      await tx.execute(`update documents set closing = jsonb_set(closing, '{CPC}', '"501"') where period = '2026-Q4'`)
      throw new Error((await verifyLedger(tx as never, documentChecks)).problems.join())
    })
    await expect(forged).rejects.toThrow(/not the closing of the one before.*not what the books say/s)
  })
})
