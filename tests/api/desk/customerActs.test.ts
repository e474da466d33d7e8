/** What staff do for a customer: a mail again, the identity check again, a higher limit; and what they see of mails and sessions. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { identityResetJob } from '#lib/server/identity/index.ts'
import { signApproved } from '#lib/server/withdrawals/index.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

const why = 'They have called us'
const details = { party: 'self', holder: 'own' } as const
let test: TestApp
let w: ReturnType<typeof withdrawalsOf>
let desk: ReturnType<typeof deskOf>
let fay: Member
let clara: Member
let sue: Member
let customer: Customer

beforeAll(async () => {
  test = await createTestApp()
  w = withdrawalsOf(test)
  await w.stock()
  desk = deskOf(test)
  const admins = await desk.admins()
  fay = await desk.member(admins, 'Fay', ['compliance'])
  clara = await desk.member(admins, 'Clara', ['compliance'])
  sue = await desk.member(admins, 'Sue', ['support'])
})
beforeEach(async () => {
  await w.carryOut('USDC')
  test.pass(3600)
  for (const one of [fay, clara, sue]) await desk.signIn(one)
  customer = await test.customer()
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const about = (extra: object = {}) => ({ params: { id: customer.userId, ...extra } })
const page = async (query?: Record<string, string>) =>
  (await sue.call('getCustomer', { ...about(), ...(query && { query }) })).body.data
type Line = { kind: string; text: string; mail: string | null }
const mails = async () => ((await page({ kind: 'mail' })).timeline as Line[]).filter(({ kind }) => kind === 'Mail')

describe('mails', () => {
  beforeEach(async () => {
    await w.fund(customer, 'USDC', units('USDC', 100))
    await w.confirmed(customer, 'USDC', units('USDC', 50))
    await w.carryOut('USDC')
    await test.mailsTo(customer.email)
  })

  it('stand in the timeline, with whether they were sent, and without what is personal', async () => {
    const texts = (await mails()).map(({ text }) => text)
    expect(texts.some((text) => text.startsWith('“Your withdrawal') && text.endsWith('sent'))).toBe(true)
    expect(JSON.stringify(await page())).not.toContain(customer.email)
    expect((await page()).timeline.some(({ kind }: Line) => kind === 'Mail')).toBe(true)
  })

  it('are sent again where they hold no secret: to the address of now, without a second notice', async () => {
    const before = (await mails()).length
    const again = (await mails()).find(({ mail }) => mail !== null)
    const notice = again?.mail ?? ''
    const sent = (await test.mailsTo(customer.email)).length
    expect((await sue.call('sendMailAgain', { ...about({ notice }), body: { why } })).status).toBe(200)
    const now = await test.mailsTo(customer.email)
    expect(now.length).toBe(sent + 1)
    expect(now[0]?.text).not.toMatch(/token=|undefined/)
    expect(await mails()).toHaveLength(before)
  })

  it('with a link that is a secret, or of somebody else, are not', async () => {
    const secret = (await mails()).filter(({ mail }) => mail === null)
    expect(secret.length).toBeGreaterThan(0)
    const { rows } = (await test.app.context.db.execute(
      sql`select id::text from notices where user_id = ${customer.userId} and name = 'withdrawalConfirm'`
    )) as unknown as { rows: { id: string }[] }
    const notice = rows[0]?.id ?? ''
    expect((await sue.call('sendMailAgain', { ...about({ notice }), body: { why } })).body.code).toBe('mail_not_again')
    const other = await test.customer()
    const foreign = (await mails()).find(({ mail }) => mail)?.mail ?? ''
    const answer = await sue.call('sendMailAgain', { params: { id: other.userId, notice: foreign }, body: { why } })
    expect(answer.body.code).toBe('mail_not_again')
  })
})

describe('sessions', () => {
  it('are shown with their device and the beginning of the network address alone', async () => {
    const browser = await test.signUp()
    await behindTheBack(
      test.app.context.db,
      sql`update sessions set address = '203.0.113.77', user_agent = 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0' where user_id = ${browser.userId}`
    )
    const shown = (await sue.call('getCustomer', { params: { id: browser.userId } })).body.data
    expect(shown.seen[0]).toMatchObject({ device: 'Firefox on Windows', network: '203.0.…', isOpen: true, isFirst: true })
    expect(shown.sessions).toBe(1)
    expect(JSON.stringify(shown)).not.toContain('203.0.113')
    expect(shown.timeline.some(({ kind }: Line) => kind === 'Sign-in')).toBe(true)
    for (const [address, network] of [
      ['::ffff:198.51.100.7', '198.51.…'],
      ['2001:db8:aa::1', '2001:db8:…'],
      ['gone', 'unknown']
    ]) {
      await behindTheBack(test.app.context.db, sql`update sessions set address = ${address} where user_id = ${browser.userId}`)
      const { seen } = (await sue.call('getCustomer', { params: { id: browser.userId } })).body.data
      expect(seen[0].network).toBe(network)
    }
  })
})

describe('the identity check', () => {
  it('is asked for again: nothing moves until it is complete, and a late event of the old one changes nothing', async () => {
    await w.fund(customer, 'USDC', units('USDC', 100))
    await w.confirmed(customer, 'USDC', units('USDC', 50))
    expect((await sue.call('askIdentityAgain', { ...about(), body: { why } })).body.code).toBe('right_missing')
    expect((await fay.call('askIdentityAgain', { ...about(), body: { why: 'Your passport has expired' } })).status).toBe(200)
    expect((await fay.call('askIdentityAgain', { ...about(), body: { why } })).body.code).toBe('check_not_completed')
    expect((await page()).gate).toBe('not_verified')
    const [mail] = await test.mailsTo(customer.email)
    expect(mail?.text).toContain('Your passport has expired')
    await w.follow('ethereum')
    const { signingOf } = test.app.chains
    if (!signingOf) throw new Error('The test has the seed')
    await signApproved(test.app.context, test.app.chains.withdrawals, await signingOf('ethereum'))
    expect((await w.list(customer))[0]).toMatchObject({ state: 'approved', waits: 'gate' })
    test.pass(60)
    await test.decideIdentity(customer, 'approve')
    expect((await page()).gate).toBeNull()
  })

  it('begins anew at the provider once, and not where it has spoken since', async () => {
    const resets: string[] = []
    const provider = { ...test.app.ports.identity, reset: async (applicant: string) => void resets.push(applicant) }
    const job = identityResetJob(test.app.context, provider)
    await fay.call('askIdentityAgain', { ...about(), body: { why } })
    const at = test.app.context.clock().toISOString()
    const payload = { userId: customer.userId, at }
    await job.run(payload, { id: 1n, createdAt: new Date() })
    expect(resets).toHaveLength(1)
    test.pass(60)
    await test.decideIdentity(customer, 'approve')
    await job.run(payload, { id: 1n, createdAt: new Date() })
    expect(resets).toHaveLength(1)
  })
})

describe('a higher limit', () => {
  const ask = (dayCents: string, by = customer) =>
    test.send('POST', '/users/withdraw/limit', { token: by.token, body: { dayCents, why: 'A house' } })
  const own = async () => (await test.send('GET', '/users/withdraw/limit', { token: customer.token })).body.data
  const requestOf = async () => (await page()).limitRequests[0]
  async function raise(body: object, by = clara) {
    const { id: requestId } = await requestOf()
    const proposed = await fay.call('proposeLimit', { ...about(), body: { requestId, why, ...body } })
    if (proposed.status !== 200) return proposed
    return by.call('approveProposal', { params: { id: proposed.body.data.proposalId }, body: { why } })
  }

  it('is asked for by the customer, raised by two, counts at once and at the signer, and ends', async () => {
    expect(await own()).toMatchObject({ dayCents: '1000000', mostCents: '5000000', request: null })
    expect((await ask('1000000')).body.code).toBe('limit_too_low')
    expect((await ask('9000000')).body.code).toBe('limit_too_high')
    expect((await ask('2000000')).status).toBe(200)
    expect((await ask('3000000')).body.code).toBe('limit_asked')
    expect((await own()).request).toMatchObject({ state: 'open', askedCents: '2000000' })
    expect((await sue.call('listLimitRequests')).body.data).toContainEqual(
      expect.objectContaining({ customerId: customer.userId })
    )
    expect((await raise({ dayCents: '2000000' }, fay)).body.code).toBe('own_proposal')
    const [open] = (await clara.call('listProposals')).body.data
    expect((await clara.call('approveProposal', { params: { id: open.id }, body: { why } })).status).toBe(200)
    expect(await own()).toMatchObject({ dayCents: '2000000', request: { state: 'raised' } })
    const [mail] = await test.mailsTo(customer.email)
    expect(mail?.text).toContain('$20,000.00')
    await w.fund(customer, 'USDC', units('USDC', 15_000))
    await w.confirmed(customer, 'USDC', units('USDC', 12_000), { details })
    expect((await test.send('GET', '/users/withdraw/rules', { token: customer.token })).body.data.leftCents).toBe('800000')
    test.pass(91 * 86_400)
    await desk.signIn(fay)
    const { rows } = (await test.app.context.db.execute(
      sql`select ends_at < ${test.app.context.clock().toISOString()}::timestamptz as is_over from withdrawal_limits where user_id = ${customer.userId}`
    )) as unknown as { rows: { is_over: boolean }[] }
    expect(rows[0]?.is_over).toBe(true)
  })

  it('is never above what the settings allow, whatever a row says', async () => {
    await ask('5000000')
    expect((await raise({ dayCents: '5000001' })).body.code).toBe('limit_not_possible')
    expect((await raise({ dayCents: '5000000', days: '10' })).status).toBe(200)
    await behindTheBack(
      test.app.context.db,
      sql`update withdrawal_limits set day_cents = 99999999 where user_id = ${customer.userId}`
    )
    expect((await own()).dayCents).toBe('5000000')
  })

  it('is refused with a reason, and asked for again a week later', async () => {
    await ask('2000000')
    const { id: requestId } = await requestOf()
    const refused = await fay.call('refuseLimit', { ...about(), body: { requestId, why: 'We know you for a day only' } })
    expect(refused.status).toBe(200)
    expect((await own()).request).toMatchObject({ state: 'refused', answer: 'We know you for a day only' })
    expect((await ask('2000000')).body.code).toBe('limit_refused')
    expect((await fay.call('refuseLimit', { ...about(), body: { requestId, why } })).body.code).toBe('limit_request_over')
  })

  it('is not raised for somebody who may not withdraw, or for oneself; what changed since is named', async () => {
    await ask('2000000')
    await fay.call('holdAccount', { ...about(), body: { why: 'We must call you' } })
    const { id: requestId } = await requestOf()
    const body = { requestId, dayCents: '2000000', why }
    expect((await fay.call('proposeLimit', { ...about(), body })).body.code).toBe('limit_not_possible')
    const mine = await test.customer({ email: fay.email })
    await ask('2000000', mine)
    expect((await fay.call('proposeLimit', { params: { id: mine.userId }, body })).body.code).toBe('own_account')
    customer = await test.customer()
    await ask('2000000')
    const proposed = await fay.call('proposeLimit', { ...about(), body: { ...body, requestId: (await requestOf()).id } })
    await behindTheBack(test.app.context.db, sql`update users set password_changed_at = now() where id = ${customer.userId}`)
    const late = await clara.call('approveProposal', { params: { id: proposed.body.data.proposalId }, body: { why } })
    expect(late.body.code).toBe('facts_changed')
  })
})
