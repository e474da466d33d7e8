/** Receipts: made when the order completes; anybody can verify one, and the verification reveals nothing about the customer. */
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMissingReceipts } from '#lib/server/documents/receipts.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let customer: Customer
let orderId: string
let euroCents: bigint

beforeAll(async () => {
  test = await createTestApp({ env: { LIMIT_SCALE: '1' } })
  customer = await test.customer({ email: 'grace@example.com' })
  const data = await test.ask(customer, 'createOrder', { body: { comboConfigId: 84, bankAccountId: 1 } })
  orderId = data.id
  euroCents = BigInt(data.euroToPay.replace('.', ''))
  await test.arrive({ remittance: orderId, amountCents: euroCents, entryId: 'paid-1' })
  await test.mailsTo(customer.email)
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const check = (code: string) => test.send('POST', '/receipts/verify', { body: { code } })
const file = ({ userId, email }: Customer, name: string) => test.app.readDocument({ userId, email } as never, name)
async function textOf(): Promise<string> {
  const found = await file(customer, `receipt-${orderId}.pdf`)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(found?.body as Uint8Array)), { mergePages: true })
  return text.replace(/\s+/g, ' ')
}
const codeIn = (text: string) => /(?:[0-9A-Z]{5}-){5}[0-9A-Z]/.exec(text)?.[0] ?? ''

describe('a receipt', () => {
  it('is made when the order is completed, with what was bought, what it cost and a code', async () => {
    const text = await textOf()
    for (const part of [
      'Receipt',
      'Ada Lovelace',
      'grace@example.com',
      'PTC 1,000',
      '$1,040.00',
      '€956.80',
      '1,111,111.11111111 PTC',
      '24 Months'
    ])
      expect(text).toContain(part)
    expect(text).toContain(`/verify/${codeIn(text).replaceAll('-', '')}`)
  })

  it('is one, however often it is asked for', async () => {
    const before = await textOf()
    await makeMissingReceipts(test.app.context, { name: 'Other GmbH', address: 'x' })
    expect(await textOf()).toBe(before)
  })

  it('is nobody else’s, and there is none of an order that is not completed', async () => {
    expect(await file(await test.customer(), `receipt-${orderId}.pdf`)).toBeUndefined()
    const open = await test.ask(customer, 'createOrder', { body: { comboConfigId: 82, bankAccountId: 1 } })
    expect(await file(customer, `receipt-${open.id}.pdf`)).toBeUndefined()
  })
})

describe('its code', () => {
  it('says that it is genuine, to everybody, and nothing about the customer; however it is typed', async () => {
    const code = codeIn(await textOf())
    const { status, body } = await check(code)
    expect(status).toBe(200)
    expect(body.data).toEqual({ number: orderId, package: 'PTC 1,000', completedAt: expect.any(String), state: 'completed' })
    for (const typed of [code.toLowerCase(), ` ${code.replaceAll('-', ' ')} `, code.replaceAll('1', 'l').replaceAll('0', 'O')])
      expect((await check(typed)).status, typed).toBe(200)
    const stored = JSON.stringify(await test.app.context.db.execute('select order_id, code_hash from receipts'))
    expect(stored).not.toContain(code.replaceAll('-', ''))
  })

  it.each(['', 'x', '0'.repeat(26), 'U'.repeat(26), "' or 1=1 --", '0'.repeat(200)])(
    'that is none is refused: "%s"',
    async (code) => {
      const { status, body } = await check(code)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(['receipt_not_found', 'invalid_fields']).toContain(body.code)
    }
  )

  it('says so once the payment was taken back', async () => {
    await test.arrive({ direction: 'debit', amountCents: euroCents, remittance: orderId, entryId: 'back-1' })
    expect((await check(codeIn(await textOf()))).body.data.state).toBe('reversed')
  })

  it('is not guessed: sixty tries in ten minutes', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    let last = 0
    for (let tries = 0; tries < 61 && last !== 429; tries += 1)
      last = (await test.send('POST', '/receipts/verify', { body: { code: `${tries}`.padStart(26, '0') }, headers })).status
    expect(last).toBe(429)
  })
})
