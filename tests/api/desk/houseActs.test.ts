/** What two of finance decide on the page House, and the worker carries out. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { decimal, toUnits } from '#lib/domain/money/decimal.ts'
import { chainSends, customerHash, resumeChain } from '#lib/server/chains/index.ts'
import { carriedActs, carryOutJob } from '#lib/server/desk/index.ts'
import { houseBalance } from '#lib/server/ledger/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

const why = 'Looked at by two'
let test: TestApp
let desk: ReturnType<typeof deskOf>
let finn: Member
let fred: Member
let ada: Customer
beforeAll(async () => {
  test = await createTestApp()
  desk = deskOf(test)
  const admins = await desk.admins()
  finn = await desk.member(admins, 'Finn', ['finance'])
  fred = await desk.member(admins, 'Fred', ['finance'])
  ada = await test.customer()
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const now = () => test.app.context.clock().toISOString()
const rows = async <T extends object>(query: ReturnType<typeof sql>) => rowsOf<T>(await test.app.context.db.execute(query))
const houseOf = async (): Promise<DeskAnswer<'getHouse'>> => (await finn.call('getHouse')).body.data
const approve = (proposalId: string) => fred.call('approveProposal', { params: { id: proposalId }, body: { why } })
const has = (kind: 'staking_rewards' | 'suspense' | 'treasury' | 'losses', currency: string) =>
  houseBalance(test.app.context.db, kind, currency)
/** Two propose and approve, and the worker is done with it. */
async function decided(name: Parameters<Member['call']>[0], values: Parameters<Member['call']>[1]): Promise<void> {
  const proposed = await finn.call(name, values)
  expect(proposed.body, name).toMatchObject({ data: { proposalId: expect.any(String) } })
  expect((await approve(proposed.body.data.proposalId)).body).toMatchObject({ data: { message: expect.any(String) } })
  await expect.poll(async () => (await rows(sql`select 1 from jobs where kind = 'carry_out'`)).length).toBe(0)
}
const job = () => carryOutJob(carriedActs, { context: test.app.context, readOn: async () => undefined })
const carryOut = (proposal: string) => job().run({ proposal }, { id: 1n, createdAt: new Date() })

describe('a price in doubt', () => {
  const propose = (priceUsd: string) => finn.call('proposePrice', { params: { currency: 'BTC' }, body: { priceUsd, why } })
  const used = async () =>
    (await rows<{ price_usd: string }>(sql`select price_usd from accepted_prices where currency = 'BTC'`))[0]?.price_usd

  it('is used once two have agreed, and not by one of them, or another price', async () => {
    await rows(
      sql`insert into accepted_prices (currency, price_usd, source, quoted_at) values ('BTC', '90000', 'x', now())
        on conflict (currency) do update set price_usd = '90000'`
    )
    await rows(
      sql`insert into price_doubts (currency, reason, price_usd, used_usd, found_at) values ('BTC', 'moved', '140000', '90000', now())`
    )
    expect((await propose('1')).body.code).toBe('price_not_doubted')
    const moves = (price: string) => rows(sql`update price_doubts set price_usd = ${price} where ended_at is null`)
    await moves('139000')
    const { proposalId } = (await propose('140000')).body.data
    await moves('145000')
    expect((await approve(proposalId)).body.code, 'more than 2% from what was looked at').toBe('facts_changed')
    await moves('140000')
    await expect(carryOut(proposalId), 'one has proposed it').rejects.toThrow('not one that two persons have approved')
    expect(await used()).toBe('90000')
    expect((await approve(proposalId)).status).toBe(200)
    await expect.poll(used).toBe('140000')
    expect((await houseOf()).doubts).toEqual([])
    await carryOut(proposalId)
    expect(await used(), 'run again, as after a killed process').toBe('140000')
    // The same price is in doubt again: the old approval is not about it.
    await rows(sql`update accepted_prices set price_usd = '90000' where currency = 'BTC'`)
    await rows(
      sql`insert into price_doubts (currency, reason, price_usd, used_usd, found_at) values ('BTC', 'moved', '140000', '90000', now())`
    )
    await carryOut(proposalId)
    expect(await used()).toBe('90000')
    await rows(sql`update price_doubts set ended_at = now() where ended_at is null`)
  })
})

describe('the fund of staking rewards', () => {
  const values = { params: { currency: 'PTC' }, body: { amount: '500000.5', why } }

  it('is filled by two, once, however often the worker runs it', async () => {
    const amount = toUnits(decimal('500000.5'), decimalsOf('PTC'), 'down')
    const before = await has('staking_rewards', 'PTC')
    await decided('proposeFund', values)
    expect((await has('staking_rewards', 'PTC')) - before).toBe(amount)
    const [{ id = '' } = {}] = await rows<{ id: string }>(sql`select id from staff_proposals where act = 'fill_fund'`)
    await Promise.all([carryOut(id), carryOut(id)])
    expect((await has('staking_rewards', 'PTC')) - before).toBe(amount)
  })

  it('is not filled twice for one need, where the first decision is tried again before the second is approved', async () => {
    const approved = (await finn.call('proposeFund', values)).body.data.proposalId
    await rows(
      sql`create or replace function fails_here() returns trigger language plpgsql as 'begin new.failed_at := now(); return new; end'`
    )
    await rows(
      sql`create trigger fails before insert on jobs for each row when (new.kind = 'carry_out') execute function fails_here()`
    )
    expect((await approve(approved)).status).toBe(200)
    await rows(sql`drop trigger fails on jobs`)
    test.pass(60)
    const again = (await finn.call('proposeFund', values)).body.data.proposalId
    await carryOut(approved)
    expect((await approve(again)).body).toMatchObject({ code: 'facts_changed' })
    await rows(sql`delete from jobs where kind = 'carry_out'`)
    await fred.call('rejectProposal', { params: { id: again }, body: { why } })
  })

  it('says at the field what is no amount', async () => {
    for (const amount of ['0', '0.000000001', 'x'])
      expect((await finn.call('proposeFund', { ...values, body: { amount, why } })).body, amount).toMatchObject({
        code: 'invalid_fields',
        fields: { amount: expect.any(String) }
      })
    expect((await finn.call('proposeFund', { params: { currency: 'BTC' }, body: { amount: '1', why } })).status).not.toBe(200)
  })

  it('is not filled where one of the two has lost the right, or a proposal was made up', async () => {
    const { proposalId } = (await finn.call('proposeFund', values)).body.data
    await expect(carryOut(randomUUID())).rejects.toThrow()
    const forged = sql`
      insert into staff_proposals
      select (jsonb_populate_record(p, jsonb_build_object('id', ${randomUUID()}::text, 'subject', 'x', 'state', 'approved',
        'decided_by', ${fred.id}::text, 'decided_at', now()))).* from staff_proposals p where id = ${proposalId}`
    await expect(rows(forged)).rejects.toMatchObject({ cause: { message: expect.stringContaining('append-only') } })
    await rows(
      sql`update staff_proposals set state = 'approved', decided_by = ${fred.id}, decided_at = ${now()} where id = ${proposalId}`
    )
    // As with the desk's password: the log does not know of it.
    await expect(carryOut(proposalId)).rejects.toThrow('The audit log has no decision')
    const details = JSON.stringify({ proposal: proposalId })
    await rows(
      sql`select staff_audit_append(${now()}::timestamptz, ${`staff:${fred.id}`}, 'approve:fill_fund', 'fund:PTC', 'x', ${details})`
    )
    await rows(sql`update staff set roles = '{support}' where id = ${fred.id}`)
    await expect(carryOut(proposalId)).rejects.toThrow('has no right to fill_fund any more')
    await rows(sql`update staff set roles = '{finance}' where id = ${fred.id}`)
    test.pass(25 * 3600)
    for (const one of [finn, fred]) await desk.signIn(one)
    // A day later it ends, so that it is no alarm for ever, and nothing is booked.
    const before = await has('staking_rewards', 'PTC')
    await carryOut(proposalId)
    expect(await has('staking_rewards', 'PTC')).toBe(before)
    const { carried } = (await finn.call('getProposal', { params: { id: proposalId } })).body.data
    expect(carried).toEqual({ state: 'gave_up', error: null })
  })

  it('is not decided about again while a decision waits for the worker; one that gave up does nothing after a later one', async () => {
    const { proposalId } = (await finn.call('proposeFund', values)).body.data
    await rows(
      sql`create or replace function wait_here() returns trigger language plpgsql as 'begin new.run_at := new.run_at + interval ''1 hour''; return new; end'`
    )
    await rows(
      sql`create trigger waits before insert on jobs for each row when (new.kind = 'carry_out') execute function wait_here()`
    )
    expect((await approve(proposalId)).body.data.message).toBe('Approved. It is carried out within a minute.')
    const shown = async () => (await finn.call('getProposal', { params: { id: proposalId } })).body.data.carried
    expect(await shown()).toEqual({ state: 'waits', error: null })
    expect((await finn.call('proposeFund', values)).body).toMatchObject({ code: 'house_refused' })
    await rows(sql`update jobs set failed_at = now(), last_error = 'The disk was full' where kind = 'carry_out'`)
    expect(await shown()).toEqual({ state: 'gave_up', error: 'The disk was full' })
    await rows(sql`drop trigger waits on jobs`)
    const before = await has('staking_rewards', 'PTC')
    test.pass(60)
    const later = (await finn.call('proposeFund', values)).body.data
    expect((await approve(later.proposalId)).status).toBe(200)
    const filled = toUnits(decimal('500000.5'), decimalsOf('PTC'), 'down')
    await expect.poll(async () => (await has('staking_rewards', 'PTC')) - before).toBe(filled)
    await carryOut(proposalId)
    expect((await has('staking_rewards', 'PTC')) - before, 'tried again by hand').toBe(filled)
    await rows(sql`delete from jobs where kind = 'carry_out'`)
  })
})

describe('coins kept apart', () => {
  beforeAll(async () => {
    ada = await test.customer()
  })

  /** Less than the smallest deposit. */
  async function dust(amount: number): Promise<string> {
    const w = withdrawalsOf(test)
    const address = await w.addressFor(ada, 'CPC')
    await w.pay('cpc', { address, token: 'CPC', amount: units('CPC', amount) })
    await w.confirm('cpc')
    return (await houseOf()).coins.at(-1)?.id ?? ''
  }
  const spotOf = async (who: Customer) => BigInt((await test.ask(who, 'getBalance')).CPC.wallet.spotBalance)

  it('are credited to a customer by the address of their page, once', async () => {
    const id = await dust(5)
    const before = await spotOf(ada)
    const body = { customer: `http://desk.localhost/customers/${ada.userId.toUpperCase()}`, why }
    await decided('proposeCoins', { params: { id }, body })
    expect((await spotOf(ada)) - before).toBe(units('CPC', 5))
    expect((await houseOf()).coins.map((one) => one.id)).not.toContain(id)
    expect((await finn.call('proposeCoins', { params: { id }, body })).body).toMatchObject({ code: 'house_refused' })
    const [{ proposal = '' } = {}] = await rows<{ proposal: string }>(
      sql`select id as proposal from staff_proposals where act = 'decide_coins'`
    )
    await carryOut(proposal)
    expect((await spotOf(ada)) - before, 'run again').toBe(units('CPC', 5))
  })

  it('are kept by us without a customer, and go to nobody unknown, nor to one’s own account', async () => {
    const id = await dust(6)
    const before = await has('treasury', 'CPC')
    const facts = async (proposal: string) => (await finn.call('getProposal', { params: { id: proposal } })).body.data.facts
    const to = (customer: string) => finn.call('proposeCoins', { params: { id }, body: { customer, why } })
    expect((await to(randomUUID())).body).toMatchObject({ code: 'house_refused' })
    for (const list of ['http://desk.localhost/customers/', 'http://desk.localhost/customers', 'ada@example.com'])
      expect((await to(list)).body, list).toMatchObject({ fields: { customer: expect.any(String) } })
    expect((await to('ada@example.com')).body).toMatchObject({ fields: { customer: expect.any(String) } })
    const own = await test.customer()
    await rows(sql`update users set email = ${finn.email} where id = ${own.userId}`)
    expect((await to(own.userId)).body).toMatchObject({ code: 'own_account' })
    const bob = await test.customer()
    const { proposalId } = (await to(bob.userId)).body.data
    expect(JSON.stringify(await facts(proposalId)), 'whose address it was').toContain(ada.userId)
    await finn.call('rejectProposal', { params: { id: proposalId }, body: { why } })
    await decided('proposeCoins', { params: { id }, body: { customer: '', why } })
    expect((await has('treasury', 'CPC')) - before).toBe(units('CPC', 6))
  })
})

describe('a stake whose payment was taken back', () => {
  it('ends: what is staked comes back to our stock, and nothing more is paid', async () => {
    const { id, euroToPay } = await test.ask(ada, 'createOrder', { body: { comboConfigId: 84, bankAccountId: 1 } })
    await test.arrive({ remittance: id, amountCents: BigInt(euroToPay.replace('.', '')) })
    const take = { body: { orderId: id, why } }
    expect((await finn.call('proposeTakeBack', take)).body, 'the payment stands').toMatchObject({ code: 'house_refused' })
    const [{ payment = '' } = {}] = await rows<{ payment: string }>(
      sql`select bank_entry_id as payment from payments where order_id = ${id}`
    )
    await test.arrive({
      direction: 'debit',
      id: randomUUID(),
      returnedEntryId: payment,
      remittance: `return of ${id}`,
      amountCents: BigInt(euroToPay.replace('.', ''))
    } as never)
    const before = await has('treasury', 'PTC')
    await decided('proposeTakeBack', { body: { orderId: id.toLowerCase(), why } })
    expect((await has('treasury', 'PTC')) > before).toBe(true)
    const open = await rows(sql`select 1 from payouts where order_id = ${id} and cancelled_at is null and paid_at is null`)
    expect(open).toEqual([])
    expect((await finn.call('proposeTakeBack', take)).body).toMatchObject({ code: 'house_refused' })
  })
})

describe('a lost payment', () => {
  it('is broadcast by two, and charged to the customer of the signer’s journal alone', async () => {
    const { db } = test.app.context
    const id = randomUUID()
    const lost = { chain: 'cpc', purpose: 'lost', currency: 'CPC', receiver: 'CPC-X', amount: units('CPC', 7) } as const
    const at = new Date()
    await db
      .insert(chainSends)
      .values({ id, ...lost, mostFee: 1n, state: 'signed', signedAt: at, customer: customerHash(ada.userId) })
    const shown = async () => (await houseOf()).lost.find((one) => one.id === id)?.state
    const settle = { params: { id }, body: { customer: '', why } }
    expect(await shown()).toBe('to_broadcast')
    const charge = { params: { id }, body: { customer: ada.userId, why } }
    expect((await finn.call('proposeLost', charge)).body).toMatchObject({ code: 'house_refused' })
    await decided('proposeLost', settle)
    expect(await shown()).toBe('under_way')
    // Signed for an account of the clerk's own.
    const [own] = await rows<{ id: string }>(sql`select id from users where email = ${finn.email}`)
    const ownSend = {
      id: randomUUID(),
      ...lost,
      mostFee: 1n,
      state: 'signed',
      signedAt: at,
      customer: customerHash(own?.id ?? '')
    } as const
    await db.insert(chainSends).values(ownSend)
    expect((await finn.call('proposeLost', { ...settle, params: { id: ownSend.id } })).body).toMatchObject({
      code: 'own_account'
    })
    await behindTheBack(db, sql`update chain_sends set state = 'confirmed' where id = ${id}`)
    expect(await shown()).toBe('paid')
    const other = await test.customer()
    expect((await finn.call('proposeLost', { ...charge, body: { customer: other.userId, why } })).body).toMatchObject({
      code: 'house_refused'
    })
    await withdrawalsOf(test).fund(ada, 'CPC', units('CPC', 20))
    const before = await has('losses', 'CPC')
    await decided('proposeLost', charge)
    expect((await has('losses', 'CPC')) - before).toBe(units('CPC', 7))
    expect(await shown()).toBeUndefined()
  })
})

describe('chains', () => {
  const readingOf = async (chain: string) => (await houseOf()).reading.find((one) => one.chain === chain)?.stops ?? []

  it('are read on by two, by the reason that they looked at', async () => {
    const params = { chain: 'ethereum' }
    await withdrawalsOf(test).mine('ethereum', 3)
    expect((await finn.call('stopReading', { params, body: { why: 'The node lies' } })).status).toBe(200)
    const [stop] = await readingOf('ethereum')
    expect(stop).toMatchObject({ why: 'The node lies' })
    const values = (upTo: string, fromBlock = '') => ({ params, body: { upTo, why, fromBlock } })
    expect((await finn.call('proposeReading', values('999999'))).body.code).toBe('chain_not_halted')
    const { proposalId } = (await finn.call('proposeReading', values(stop?.id ?? ''))).body.data
    await fred.call('stopReading', { params, body: { why: 'A second reason' } })
    expect((await approve(proposalId)).body).toMatchObject({ code: 'act_refused' })
    const newest = (await readingOf('ethereum')).at(-1)?.id ?? ''
    // A stop that comes while the worker asks the node stays.
    const node = await test.app.ports.chainNode('ethereum')
    const late = resumeChain(
      test.app.context,
      {
        ...node,
        blockAt: async (height) => {
          await fred.call('stopReading', { params, body: { why: 'The seed is stolen' } })
          return node.blockAt(height)
        }
      },
      test.app.chains.following,
      { actor: { kind: 'staff', id: fred.id }, why, fromHeight: 1, upTo: BigInt(newest) }
    )
    await expect(late).rejects.toThrow('stopped once more')
    const last = (await readingOf('ethereum')).at(-1)?.id ?? ''
    await decided('proposeReading', values(last))
    expect(await readingOf('ethereum')).toEqual([])
  })

  it('say which block cannot be read from, as a job that gave up', async () => {
    await finn.call('stopReading', { params: { chain: 'bitcoin' }, body: { why: 'Reorganised' } })
    const [stop] = await readingOf('bitcoin')
    const body = { upTo: stop?.id ?? '', why, fromBlock: '999999' }
    const { proposalId } = (await finn.call('proposeReading', { params: { chain: 'bitcoin' }, body })).body.data
    await approve(proposalId)
    const error = async () =>
      (await rows<{ last_error: string | null }>(sql`select last_error from jobs where kind = 'carry_out'`))[0]?.last_error
    await expect.poll(error, { timeout: 10_000 }).toContain('beyond what was read')
    expect(await readingOf('bitcoin')).toHaveLength(1)
    // Before its last try another decision waits; after it, the right block is decided at once.
    const right = { params: { chain: 'bitcoin' }, body: { ...body, fromBlock: '' } }
    expect((await finn.call('proposeReading', right)).body.code).toBe('house_refused')
    await rows(sql`update jobs set failed_at = now() where kind = 'carry_out'`)
    test.pass(60)
    const next = (await finn.call('proposeReading', right)).body.data
    expect((await approve(next.proposalId)).status).toBe(200)
    await expect.poll(() => readingOf('bitcoin')).toEqual([])
    // The old one is tried again by hand: it does nothing.
    const read: unknown[] = []
    await carryOutJob(carriedActs, { context: test.app.context, readOn: async (_, made) => void read.push(made) }).run(
      { proposal: proposalId },
      { id: 1n, createdAt: new Date() }
    )
    expect(read).toEqual([])
    await rows(sql`delete from jobs where kind = 'carry_out'`)
  })

  it('are all halted by one press', async () => {
    expect((await fred.call('haltAllChains', { body: { why: 'Somebody may know the seed' } })).status).toBe(200)
    const { chains } = (await finn.call('listWithdrawals')).body.data as DeskAnswer<'listWithdrawals'>
    for (const { chain, stops } of chains)
      expect(
        stops.map((one) => one.why),
        chain
      ).toContain('Somebody may know the seed')
  })
})
