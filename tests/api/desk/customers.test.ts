/** Customers at the desk: found by what somebody names, shown without a name, held, released. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signApproved } from '#lib/server/withdrawals/index.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { STRANGER, units, withdrawalsOf } from '#support/withdrawals.ts'

const why = 'Somebody called us'
let test: TestApp
let desk: ReturnType<typeof deskOf>
let w: ReturnType<typeof withdrawalsOf>
let sue: Member
let cleo: Member
let carl: Member
let customer: Customer

beforeAll(async () => {
  test = await createTestApp()
  desk = deskOf(test)
  w = withdrawalsOf(test)
  await w.stock()
  const admins = await desk.admins()
  sue = await desk.member(admins, 'Sue', ['support'])
  cleo = await desk.member(admins, 'Cleo', ['compliance'])
  carl = await desk.member(admins, 'Carl', ['compliance'])
  customer = await test.customer()
  await w.fund(customer, 'USDC', units('USDC', 500))
})
afterAll(async () => {
  await w.carryOut('USDC')
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const find = async (q: string) => (await sue.call('findCustomers', { query: { q } })).body.data
const shown = async (by = sue) => (await by.call('getCustomer', { params: { id: customer.userId } })).body.data
const sign = async () => {
  const { signingOf } = test.app.chains
  if (!signingOf) throw new Error('The test has the seed')
  await w.follow('ethereum')
  await signApproved(test.app.context, test.app.chains.withdrawals, await signingOf('ethereum'))
}

describe('a customer', () => {
  it('is found by e-mail, id, withdrawal, order and address, each exactly; nobody by a part', async () => {
    const id = await w.confirmed(customer, 'USDC', units('USDC', 50))
    const order = await test.send('POST', '/orders/combo', {
      token: customer.token,
      body: { comboConfigId: 19, bankAccountId: 1 }
    })
    const orderId = order.body.data.id
    for (const [q, foundBy] of [
      [customer.email.toUpperCase(), 'e-mail'],
      [customer.userId, 'customer'],
      [id, 'withdrawal'],
      [orderId, 'order'],
      [STRANGER.USDC, 'withdrawal address']
    ])
      expect(await find(q ?? ''), foundBy).toEqual([expect.objectContaining({ id: customer.userId, foundBy })])
    for (const q of ['', '%', customer.email.slice(0, 8), 'nobody@example.com', "' or 1=1 --"])
      expect(await find(q), q).toEqual([])
  })

  it('is shown with balances and what happened, and without a name or an address', async () => {
    const data = await shown()
    expect(data).toMatchObject({ isVerified: true, gate: null, holds: [] })
    expect(data.balances).toContainEqual(expect.objectContaining({ currency: 'USDC', total: units('USDC', 500).toString() }))
    expect(data.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['Withdrawal', 'Order', 'Account'])
    )
    expect(JSON.stringify(data)).not.toContain(customer.email)
    expect(data.email).toMatch(/^.…@e…$/)
  })
})

describe('a hold', () => {
  it('of a day stops what is not signed at once, tells the customer why, and ends by itself', async () => {
    await w.carryOut('USDC')
    test.pass(60)
    const id = await w.confirmed(customer, 'USDC', units('USDC', 40))
    expect((await sue.call('holdAccount', { params: { id: customer.userId }, body: { why } })).status).toBe(200)
    await sign()
    expect((await w.list(customer))[0]).toMatchObject({ id, state: 'approved', waits: 'gate' })
    expect((await w.ask(customer, 'USDC', units('USDC', 10))).body.code).toBe('withdrawals_held')
    expect((await test.mailsTo(customer.email))[0]).toMatchObject({
      subject: expect.stringContaining('Your withdrawals are on hold'),
      text: expect.stringContaining(why)
    })
    expect(await shown()).toMatchObject({ gate: 'held', holds: [{ why, isOpen: true }] })
    test.pass(24 * 3600 + 1)
    for (const one of [sue, cleo, carl]) await desk.signIn(one)
    expect(await shown()).toMatchObject({ gate: null, holds: [{ isOpen: false }] })
    await sign()
    expect((await w.list(customer))[0]).toMatchObject({ id, state: 'signed' })
  })

  it('for longer is for compliance alone, with the passkey, for 30 days at most', async () => {
    const hold = (by: Member, days: string) => by.call('holdLonger', { params: { id: customer.userId }, body: { why, days } })
    expect((await hold(sue, '7')).body.code).toBe('right_missing')
    expect((await hold(cleo, '31')).body).toMatchObject({ code: 'invalid_fields', fields: { days: 'From 1 to 30 days.' } })
    expect((await hold(cleo, '7')).status).toBe(200)
  })

  it('is released by two of compliance, which the customer reads', async () => {
    const { holds } = await shown()
    const [open] = holds.filter(({ isOpen }: { isOpen: boolean }) => isOpen)
    const values = { params: { id: customer.userId }, body: { why: 'All is explained', holdId: open.id } }
    expect((await sue.call('proposeRelease', values)).body.code).toBe('right_missing')
    const { proposalId: id } = (await cleo.call('proposeRelease', values)).body.data
    expect(await shown()).toMatchObject({ gate: 'held' })
    expect((await cleo.call('approveProposal', { params: { id }, body: { why } })).body.code).toBe('own_proposal')
    expect((await carl.call('approveProposal', { params: { id }, body: { why } })).status).toBe(200)
    expect(await shown()).toMatchObject({ gate: null })
    expect((await test.mailsTo(customer.email))[0]?.subject).toContain('Your withdrawals are no longer on hold')
    expect((await cleo.call('proposeRelease', values)).body.code).toBe('not_found')
    const staff = (await shown()).timeline.flatMap(({ staff }: { staff: unknown }) => (staff ? [staff] : []))
    expect(staff).toContainEqual({ name: 'Carl', act: 'approve:release_hold' })
  })
})

describe('sessions of a customer', () => {
  it('are all ended by staff, and the tokens with them', async () => {
    const other = await test.customer()
    const profile = () => test.send('GET', '/users/profile', { token: other.token })
    expect((await profile()).status).toBe(200)
    expect((await sue.call('endCustomerSessions', { params: { id: other.userId }, body: { why } })).status).toBe(200)
    expect((await profile()).status).toBe(401)
  })
})

describe('a clerk with an account of their own', () => {
  it('neither holds nor releases it, in any part', async () => {
    const own = await test.customer({ email: 'carl@desk.example' })
    const hold = { params: { id: own.userId }, body: { why } }
    expect((await carl.call('holdAccount', hold)).body.code).toBe('own_account')
    expect((await carl.call('endCustomerSessions', hold)).body.code).toBe('own_account')
    await cleo.call('holdAccount', hold)
    const { holds } = (await cleo.call('getCustomer', { params: { id: own.userId } })).body.data
    const release = { params: { id: own.userId }, body: { why, holdId: holds[0].id } }
    expect((await carl.call('proposeRelease', release)).body.code).toBe('own_account')
    const { proposalId: id } = (await cleo.call('proposeRelease', release)).body.data
    expect((await carl.call('approveProposal', { params: { id }, body: { why } })).body.code).toBe('own_account')
  })
})

describe('another customer', () => {
  it('is found by nickname and by the transaction of a deposit or a withdrawal', async () => {
    const other = await test.customer()
    await w.fund(other, 'USDC', units('USDC', 300))
    await w.confirmed(other, 'USDC', units('USDC', 20))
    await sign()
    const rows = async (text: string) =>
      ((await test.app.context.db.execute(sql.raw(text))) as unknown as { rows: { it: string }[] }).rows[0]?.it ?? ''
    const sent = await rows(
      `select a.transaction_id as it from chain_attempts a join withdrawals x on x.id = a.send_id where x.user_id = '${other.userId}'`
    )
    await test.send('POST', '/p2p/nickname', { token: other.token, body: {} })
    await test.app.context.db.execute(
      sql.raw(
        `insert into p2p_traders values ('${other.userId}', gen_random_uuid(), 'Quiet Otter 12', now()) on conflict do nothing`
      )
    )
    const nickname = await rows(`select nickname as it from p2p_traders where user_id = '${other.userId}'`)
    for (const [q, foundBy] of [
      [sent, 'transaction'],
      [sent.toUpperCase().replace('0X', '0x'), 'transaction'],
      [nickname, 'nickname']
    ])
      expect(await find(q ?? ''), foundBy).toEqual([expect.objectContaining({ id: other.userId, foundBy })])
    await w.carryOut('USDC')
  })

  it('has one timeline of everything, by kind and page by page, with notes that all who serve them read', async () => {
    const other = await test.customer()
    const params = { id: other.userId }
    const { data } = (
      await test.send('POST', '/orders/combo', { token: other.token, body: { comboConfigId: 19, bankAccountId: 1 } })
    ).body
    await test.arrive({ amountCents: 5n, remittance: data.id })
    await test.arrive({ amountCents: BigInt(data.euroToPay.replace('.', '')), remittance: data.id })
    for (let at = 0; at < 60; at += 1) {
      test.pass(1)
      const body = { currency: 'CPC', amount: String(at + 1) }
      await test.send('POST', '/users/balance/transfer-from-spot-to-funding', { token: other.token, body })
    }
    test.pass(1)
    for (const one of [sue, cleo]) await desk.signIn(one)
    expect((await sue.call('noteCustomer', { params, body: { why: 'Prefers to be called after six' } })).status).toBe(200)
    const of = async (query: Record<string, string> = {}, by = cleo) =>
      (await by.call('getCustomer', { params, query })).body.data
    const first = await of()
    expect(first.timeline[0]).toMatchObject({
      kind: 'Note',
      staff: { name: 'Sue', act: 'note_customer' },
      text: 'Prefers to be called after six'
    })
    expect(first.timeline.filter(({ kind }: { kind: string }) => kind === 'Move')).toHaveLength(50)
    const second = await of({ before: first.next })
    expect(second.next).toBeNull()
    expect(new Set(second.timeline.map(({ kind }: { kind: string }) => kind))).toEqual(
      new Set(['Move', 'Payment', 'Order', 'Account', 'Mail', 'Sign-in'])
    )
    expect((await of({ kind: 'payment' })).timeline).toMatchObject([
      { kind: 'Payment', link: expect.stringContaining('/payments?filter=all&p=') }
    ])
    expect((await cleo.call('getCustomer', { params, query: { before: 'x' } })).body.code).toBe('invalid_fields')

    // Each balance is explained by lines that add up to it.
    const { balance, lines, next } = (await sue.call('explainBalance', { params: { ...params, currency: 'CPC' } })).body.data
    expect(first.balances.find(({ currency }: { currency: string }) => currency === 'CPC').total).toBe(balance)
    expect(lines).toMatchObject([{ amount: '+20,000', after: '20,000', orderId: data.id, with: 'the house: treasury' }])
    expect(next).toBeNull()
    expect((await sue.call('explainBalance', { params: { ...params, currency: 'XYZ' } })).body.code).toBe('not_found')
  })
})
