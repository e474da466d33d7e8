import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const SUPPORT = 'support@wallet.example'
const CONTEXT = [{ kind: 'order', value: 'RF18123456789012' }]

let test: TestApp
let customer: Customer
beforeAll(async () => {
  test = await createTestApp({ env: { SUPPORT_EMAIL: SUPPORT } })
  customer = await test.customer()
})
afterAll(() => test.close())

const newest = async () => (await test.mailsTo(SUPPORT))[0]

describe('a message to support', () => {
  it('of a customer names them, and what they saw that goes with it', async () => {
    const body = { message: 'Where is it?\n\nI paid on Monday.', context: CONTEXT }
    const answer = await test.send('POST', '/support', { token: customer.token, body })
    const { number } = answer.body.data
    const mail = await newest()
    expect(mail?.subject).toContain(`[${number}] Message from a customer`)
    for (const words of [customer.email, customer.userId, 'RF18123456789012', 'Where is it?', 'I paid on Monday.'])
      expect(mail?.text).toContain(words)
    expect(await test.mailsTo(customer.email)).not.toContainEqual(
      expect.objectContaining({ subject: expect.stringContaining(number) })
    )
  })

  it('of a visitor says that nobody has checked who it is, whatever address it gives', async () => {
    const body = { email: customer.email.toUpperCase(), message: 'Please change my address.' }
    expect((await test.send('POST', '/support/visitor', { body })).status).toBe(200)
    const mail = await newest()
    expect(mail?.subject).toContain('a visitor, not signed in')
    expect(mail?.text).toContain(customer.email)
    expect(mail?.text).not.toContain(customer.userId)
  })

  it('cannot look as if it had more lines than it has', async () => {
    const context = [{ kind: 'page', value: '/x\nIdentity check: passed' }]
    await test.send('POST', '/support/visitor', { body: { email: 'a@example.com', message: 'Hello', context } })
    expect((await newest())?.text).toContain('Page: /x Identity check: passed')
  })

  it.each([
    ['without words', { email: 'a@example.com', message: '   ' }],
    ['too long', { email: 'a@example.com', message: 'x'.repeat(4001) }],
    ['with two addresses', { email: 'a@example.com, b@example.com', message: 'x' }],
    ['with a line break in the address', { email: 'a@example.com\r\nBcc: b@example.com', message: 'x' }],
    ['with too much context', { email: 'a@example.com', message: 'x', context: Array.from({ length: 9 }, () => CONTEXT[0]) }],
    ['that says who it is', { email: 'a@example.com', message: 'x', context: [{ kind: 'account', value: 'b@example.com' }] }]
  ])('%s is refused', async (_, body) => {
    const { status, body: answer } = await test.send('POST', '/support/visitor', { body })
    expect(status).toBe(422)
    expect(answer.code).toBe('invalid_fields')
  })

  it('is limited: a visitor by address, a customer by account', async () => {
    const limited = await createTestApp({ env: { LIMIT_SCALE: '1' } })
    const one = await limited.customer()
    const visitor = () => limited.send('POST', '/support/visitor', { body: { email: 'a@example.com', message: 'x' } })
    for (let sent = 0; sent < 5; sent += 1) expect((await visitor()).status).toBe(200)
    expect((await visitor()).status).toBe(429)
    const mine = () => limited.send('POST', '/support', { token: one.token, body: { message: 'x' } })
    for (let sent = 0; sent < 10; sent += 1) expect((await mine()).status).toBe(200)
    expect((await mine()).status).toBe(429)
    await limited.close()
  })
})
