/** Messages to support are cases: staff answer them, and customers see what became of theirs. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deskOf, type Member } from '#support/desk.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let desk: ReturnType<typeof deskOf>
let sue: Member
let sam: Member
let ada: Member
let customer: Customer
let number: string

beforeAll(async () => {
  test = await createTestApp({ env: { SUPPORT_EMAIL: 'support@wallet.example' } })
  desk = deskOf(test)
  const admins = await desk.admins()
  ada = admins[0]
  sue = await desk.member(admins, 'Sue', ['support'])
  sam = await desk.member(admins, 'Sam', ['support'])
})
beforeEach(async () => {
  test.pass(3600)
  for (const one of [sue, sam, ada]) await desk.signIn(one)
  customer = await test.customer()
  number = (await write({ message: 'Where is my order?' })).body.data.number
})
afterAll(() => test.close())

const write = (body: object) => test.send('POST', '/support', { token: customer.token, body })
const own = async () => (await test.send('GET', '/support', { token: customer.token })).body.data
const numbers = async (filter: string, by = sue) =>
  (await by.call('listCases', { query: { filter } })).body.data.map((one: { number: string }) => one.number)
/** The case as it is read now; what ends its waiting names it. */
const seenNow = async () =>
  (await sam.call('getCase', { params: { number } })).body.data?.waitsSince ?? '2026-01-01T00:00:00.000Z'
const ENDS = ['answerCase', 'snoozeCase', 'closeCase']
const step = async (name: Parameters<Member['call']>[0], body: Record<string, unknown>, by = sue) =>
  by.call(name, { params: { number }, body: { ...(ENDS.includes(name) && { seen: await seenNow() }), ...body } })

describe('a message', () => {
  it('is a case: listed, taken, answered by mail, by notice and on the customer’s page', async () => {
    expect((await own())[0]).toMatchObject({ number, state: 'open', messages: [{ from: 'you', text: 'Where is my order?' }] })
    expect(await numbers('open')).toContain(number)
    expect((await step('assignCase', { to: 'me' })).status).toBe(200)
    expect(await numbers('mine')).toEqual([number])
    expect(await numbers('mine', sam)).toEqual([])
    await step('noteCase', { text: 'I asked the bank' })
    const shown = (await step('getCase', {}, sam)).body.data
    expect(shown).toMatchObject({ assignedTo: 'Sue', isMine: false, customerId: customer.userId })
    expect(shown.messages.map(({ from }: { from: string }) => from)).toEqual(['sender', 'note'])
    // Nothing personal without a reason.
    expect(JSON.stringify(shown)).not.toContain(customer.email)
    expect((await step('showSender', { why: 'To call back' })).body.data.email).toBe(customer.email)
    expect((await step('answerCase', { text: 'It arrived.\n\nThank you.' })).status).toBe(200)
    const [mail] = await test.mailsTo(customer.email)
    expect(mail?.subject).toContain(`[${number}] Our answer to your message`)
    expect(mail?.text).toContain('It arrived.')
    const [seen] = await own()
    expect(seen.state).toBe('answered')
    expect(seen.messages.map(({ from, text }: { from: string; text: string }) => [from, text])).toEqual([
      ['you', 'Where is my order?'],
      ['support', 'It arrived.\n\nThank you.']
    ])
    const notices = (await test.send('GET', '/users/notices', { token: customer.token })).body.data
    expect(JSON.stringify(notices)).toContain(number)
    expect(await numbers('over')).toContain(number)
    // What staff wrote is in no log.
    const { entries } = (await ada.call('listAudit')).body.data
    expect(JSON.stringify(entries)).not.toContain('It arrived')
    expect(entries).toContainEqual(expect.objectContaining({ act: 'answer_case', subject: `case:${number}` }))
  })

  it('is opened again by a reply of its customer, and of nobody else', async () => {
    await step('answerCase', { text: 'Which order?' })
    const stranger = await test.customer()
    const foreign = await test.send('POST', '/support', { token: stranger.token, body: { message: 'x', number } })
    expect(foreign.status).toBe(422)
    expect((await write({ message: 'RF18 …', number })).body.data.number).toBe(number)
    expect((await own())[0]).toMatchObject({ state: 'open' })
    expect(await numbers('open')).toContain(number)
    expect((await test.send('GET', '/support', { token: stranger.token })).body.data).toEqual([])
  })

  it('is put off until a day, and comes back with a new message', async () => {
    const until = new Date(test.app.context.clock().getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
    expect((await step('snoozeCase', { until: '2020-01-01', why: 'The bank' })).body.fields).toHaveProperty('until')
    expect((await step('snoozeCase', { until, why: 'The bank answers then' })).status).toBe(200)
    expect(await numbers('open')).not.toContain(number)
    expect(await numbers('snoozed')).toContain(number)
    expect((await own())[0].state).toBe('open')
    await write({ message: 'And?', number })
    expect(await numbers('open')).toContain(number)
    await step('snoozeCase', { until, why: 'Again' })
    test.pass(4 * 86_400)
    await desk.signIn(sue)
    expect(await numbers('open')).toContain(number)
  })

  it('is not answered, put off or closed over a newer one', async () => {
    await write({ message: 'Where is it?', number })
    const seen = await seenNow()
    const until = new Date(test.app.context.clock().getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
    test.pass(60)
    await write({ message: 'Somebody is in my account', number })
    for (const [name, body] of [
      ['answerCase', { text: 'It arrived.' }],
      ['snoozeCase', { until, why: 'Later' }],
      ['closeCase', { why: 'Sent twice' }]
    ] as const)
      expect((await step(name, { ...body, seen })).body.code, name).toBe('case_went_on')
    expect(await numbers('open')).toContain(number)
    expect((await own())[0].messages.at(-1).text).toBe('Somebody is in my account')
  })

  it('is closed without an answer', async () => {
    await step('closeCase', { why: 'Sent twice' })
    expect((await own())[0].state).toBe('closed')
    expect(await numbers('open')).not.toContain(number)
  })

  it('of a visitor is answered by mail alone, and belongs to no account', async () => {
    const visitor = await test.send('POST', '/support/visitor', { body: { email: customer.email, message: 'I forgot my code' } })
    number = visitor.body.data.number
    expect((await step('getCase', {})).body.data).toMatchObject({ customerId: null })
    await step('answerCase', { text: 'Ask for a new one.' })
    const [mail] = await test.mailsTo(customer.email)
    expect(mail?.text).toContain('nobody has checked who you are')
    expect((await own()).map((one: { number: string }) => one.number)).not.toContain(number)
    const notices = (await test.send('GET', '/users/notices', { token: customer.token })).body.data
    expect(JSON.stringify(notices)).not.toContain(number)
  })

  it('is read by those who serve customers, and answered by nobody who sent it', async () => {
    expect((await ada.call('listCases')).body.code).toBe('right_missing')
    const own = await test.customer({ email: sue.email })
    number = (await test.send('POST', '/support', { token: own.token, body: { message: 'Mine' } })).body.data.number
    expect((await step('answerCase', { text: 'x' })).body.code).toBe('own_account')
    expect((await step('answerCase', { text: 'x' }, sam)).status).toBe(200)
    number = 'ZZZZZZZZ'
    expect((await step('answerCase', { text: 'x' })).body.code).toBe('not_found')
    expect((await step('answerCase', { text: '' })).body.fields).toEqual({ text: 'Write something.' })
  })
})
