/** The daily report: made once after seven, kept as it was, as a page, PDF and CSV. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { knownFaults } from '#lib/server/app/health.ts'
import { makeDailyReport } from '#lib/server/desk/index.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let desk: ReturnType<typeof deskOf>
let cora: Member
let sue: Member
beforeAll(async () => {
  test = await createTestApp()
  desk = deskOf(test)
  const admins = await desk.admins()
  cora = await desk.member(admins, 'Cora', ['compliance'])
  sue = await desk.member(admins, 'Sue', ['support'])
})
afterAll(() => test.close())

const issuer = { name: 'CP Wallet Sandbox GmbH', address: 'Musterstrasse 1' }
const make = () =>
  makeDailyReport(test.app.context, {
    issuer,
    signerKey: test.app.chains.deposits.proof,
    alarms: () => knownFaults(test.app.context)
  })
const days = async () => {
  for (const one of [cora, sue]) await desk.signIn(one)
  return (await cora.call('listReports')).body.data.map(({ day }: { day: string }) => day)
}

it('is made once after seven o’clock UTC, of the day before, and never changes', async () => {
  const customer = await test.customer()
  const { data } = (
    await test.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId: 19, bankAccountId: 1 } })
  ).body
  await test.arrive({ amountCents: BigInt(data.euroToPay.replace('.', '')), remittance: data.id })
  await test.arrive({ amountCents: 12_345n, remittance: 'rent' })
  // The test begins at twelve; at six of the next day there is none yet.
  test.pass(18 * 3600)
  await make()
  expect(await days()).toEqual([])
  test.pass(3600)
  await make()
  await make()
  const [day] = await days()
  expect(day).toBe('2026-11-21')
  const { sections } = (await cora.call('getReport', { params: { day } })).body.data
  const of = (title: string) => sections.find((one: { title: string }) => one.title === title)
  expect(of('Claims and holdings').rows[0].cells.slice(0, 2)).toEqual(['EUR', '123.45'])
  expect(of('Suspense by age').rows[0].cells).toEqual(['below 24 h', '1', '€123.45'])
  expect(of('Suspense by age').rows.at(-1).cells).toEqual(['together', '1', '€123.45'])
  expect(of('Fees of the day').rows[0].cells).toEqual(['order completed', '1', '36.80 EUR', 'earned'])
  expect(of('Alarms when this was made').rows[0].cells[1]).toContain('no worker looks for faults')
  await expect(test.app.context.db.execute(sql`update daily_reports set csv = ''`)).rejects.toThrow()
})

it('is read by finance and compliance alone, and exported by passkey, which is logged', async () => {
  const [day] = await days()
  expect((await sue.call('listReports')).body.code).toBe('right_missing')
  expect((await cora.call('getReport', { params: { day: '2020-01-01' } })).body.code).toBe('not_found')
  const csv = (await cora.call('exportReport', { params: { day }, body: { format: 'csv' } })).body.data
  expect(csv).toMatchObject({ name: `daily-report-${day}.csv`, encoding: 'text', type: 'text/csv' })
  expect(csv.content).toContain('together,1,€123.45\r\n')
  const pdf = (await cora.call('exportReport', { params: { day }, body: { format: 'pdf' } })).body.data
  const { extractText, getDocumentProxy } = await import('unpdf')
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(Buffer.from(pdf.content, 'base64'))), {
    mergePages: true
  })
  expect(text).toContain('Daily report of 2026-11-21')
  expect(text).toContain('€123.45')
  const { entries } = (await cora.call('listAudit')).body.data
  expect(entries[0]).toMatchObject({ act: 'export_report', subject: `report:${day}` })
})
