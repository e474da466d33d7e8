/** Withdrawals from approval to confirmation: signed once, broadcast until mined; only the chain decides the outcome. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHAINS, type Chain, type ChainToken, chainOf } from '#lib/domain/chains/chains.ts'
import { sandboxMine } from '#lib/server/chains/adapters/sandboxWorld.ts'
import {
  type BlockListener,
  broadcastDue,
  type ChainNode,
  findStop,
  followChain,
  houseAddress,
  NodeError,
  openJournal,
  openStops,
  orderSend,
  releaseSend,
  replaceStuck,
  type Signing,
  stopChain
} from '#lib/server/chains/index.ts'
import { customerAccount, house, settleStock } from '#lib/server/ledger/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { privateKey, signingKey } from '#lib/server/platform/ed25519.ts'
import { asJob, type ClaimedJob, LeaseLostError } from '#lib/server/platform/jobs/take.ts'
import { approvalText } from '#lib/server/withdrawals/approval.ts'
import { approveWithdrawal, chargeLost, clearAsked, endCleared, signApproved, signJobs } from '#lib/server/withdrawals/index.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { untilWaiting } from '#support/lockWaits.ts'
import { resumeSending } from '#support/stops.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { COLLEAGUE_ENV, colleague, operator, STRANGER, units, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
let w: ReturnType<typeof withdrawalsOf>
let customer: Customer
const AMOUNT: Record<ChainToken, number> = { BTC: 0.004, ETH: 0.1, USDC: 50, CPC: 100 }
const RECEIVED: Record<ChainToken, bigint> = {
  BTC: units('BTC', 0.00397),
  ETH: units('ETH', 0.0992),
  USDC: units('USDC', 47),
  CPC: units('CPC', 90)
}
const staff = { kind: 'staff', id: 'grace' } as const

beforeAll(async () => {
  // One person is enough: two are the desk's tests.
  test = await createTestApp({ env: { SIGNER_TWO_ABOVE_USD: '100000', ...COLLEAGUE_ENV } })
  w = withdrawalsOf(test)
  await w.stock()
})
beforeEach(async () => {
  test.pass(24 * 3600)
  customer = await test.customer()
  for (const chain of CHAINS) {
    await w.fault(chain, { priceTimes: 1, failedBroadcasts: 0 })
    await resumeSending(test.app.context, chain, { actor: staff, why: 'Next test' })
  }
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const all = async <T>(query: ReturnType<typeof sql>) => rowsOf<T>(await test.app.context.db.execute(query))
const houseHas = async (kind: string, currency: string) =>
  BigInt(
    (
      await all<{ sum: string }>(
        sql`select coalesce(sum(balance), 0)::text as sum from accounts where kind = ${kind} and currency = ${currency} and owner_id = '00000000-0000-0000-0000-000000000000'`
      )
    )[0]?.sum ?? 0
  )
async function signing(currency: ChainToken): Promise<Signing> {
  const { signingOf } = test.app.chains
  if (!signingOf) throw new Error('The test has the seed')
  return signingOf(chainOf(currency))
}
const sign = async (currency: ChainToken, changed: Partial<Signing> = {}, settings = test.app.chains.withdrawals) => {
  await w.follow(chainOf(currency))
  await signApproved(test.app.context, settings, { ...(await signing(currency)), ...changed })
}
const attempts = (id: string) =>
  all<{ transaction_id: string; height: number | null; nonce: string | null }>(
    sql`select transaction_id, height, nonce::text from chain_attempts where send_id = ${id} order by id`
  )
/** A fresh approved withdrawal. */
async function approved(currency: ChainToken, options: { to?: string; publicKey?: string } = {}): Promise<string> {
  await w.fund(customer, currency, units(currency, AMOUNT[currency]))
  return w.confirmed(customer, currency, units(currency, AMOUNT[currency]), options)
}
const first = async () => (await w.list(customer))[0]

describe.each(['BTC', 'ETH', 'USDC', 'CPC'] as const)('%s', (currency) => {
  it('arrives less the fee; the fee is booked, and what the network took leaves it', async () => {
    const before = await w.received(currency)
    const fees = await houseHas('fees', currency)
    const id = await approved(currency)
    await sign(currency)
    expect(await first()).toMatchObject({ state: 'signed', isCancellable: false, transactionId: expect.any(String) })
    expect(await test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })).toMatchObject({ status: 409 })
    await w.carryOut(currency)
    expect(await first()).toMatchObject({ state: 'confirmed', status: 'TX_CONFIRMED' })
    if (currency !== 'BTC') expect((await w.received(currency)) - before).toBe(RECEIVED[currency])
    expect(await w.holding(customer, currency)).toEqual({ spot: 0n, funding: 0n, outgoing: 0n, total: 0n })
    const [{ paid } = { paid: '0' }] = await all<{ paid: string }>(
      sql`select coalesce(paid_fee, network_fee)::text as paid from chain_attempts where send_id = ${id} and height is not null`
    )
    const charged = units(currency, AMOUNT[currency]) - RECEIVED[currency]
    const isNative = currency !== 'USDC'
    expect((await houseHas('fees', currency)) - fees).toBe(charged - (isNative ? BigInt(paid) : 0n))
    expect((await test.mailsTo(customer.email)).map(({ subject }) => subject).join()).toContain('has arrived')
    const { lines } = await test.ask(customer, 'listActivity', { query: { kind: 'withdrawal' } })
    expect(lines).toEqual([expect.objectContaining({ name: 'withdrawal', direction: 'out' })])
  })

  it('is signed once by two signers at once, and the same bytes are broadcast again after an answer that was lost', async () => {
    const id = await approved(currency)
    await w.follow(chainOf(currency))
    const both = await signing(currency)
    await Promise.all([sign(currency, { journal: both.journal }), sign(currency, { journal: both.journal })])
    const [attempt, ...more] = await attempts(id)
    expect(more).toEqual([])
    const sent: string[] = []
    const node = await test.app.ports.chainNode(chainOf(currency))
    const deaf: ChainNode = {
      ...node,
      broadcast: async (bytes) => {
        sent.push(bytes)
        await node.broadcast(bytes)
        throw new NodeError('no answer')
      }
    }
    await broadcastDue(test.app.context, deaf)
    await broadcastDue(test.app.context, deaf)
    expect(sent).toHaveLength(1)
    test.pass(61)
    await broadcastDue(test.app.context, deaf)
    expect(sent).toHaveLength(2)
    expect(sent[1]).toBe(sent[0])
    await w.carryOut(currency)
    expect(await attempts(id)).toMatchObject([{ transaction_id: attempt?.transaction_id, height: expect.any(Number) }])
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })

  it('is neither signed nor broadcast by a process whose job another one has taken over', async () => {
    const id = await approved(currency)
    const { journal } = await signing(currency)
    const late = { id: 0n, lease: randomUUID(), kind: `sign_${chainOf(currency)}` } as unknown as ClaimedJob
    await expect(asJob(late, () => sign(currency))).rejects.toThrow(LeaseLostError)
    expect([journal.of(id), await attempts(id)]).toEqual([[], []])
    await sign(currency)
    const sent: string[] = []
    const node = await test.app.ports.chainNode(chainOf(currency))
    const counting: ChainNode = { ...node, broadcast: async (bytes) => void sent.push(bytes) }
    await expect(asJob(late, () => broadcastDue(test.app.context, counting))).rejects.toThrow(LeaseLostError)
    expect(sent).toEqual([])
    await w.carryOut(currency)
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })

  it('survives a signer that dies before the commit: the bytes of its own file are stored, not others', async () => {
    const id = await approved(currency)
    await w.follow(chainOf(currency))
    const { journal, sign: plan, ...rest } = await signing(currency)
    let signed: string | undefined
    const dying: Signing = {
      ...rest,
      journal: {
        ...journal,
        write: (entries, most) => {
          journal.write(entries, most)
          signed = entries[0]?.transactionId
          throw new Error('killed')
        }
      },
      sign: plan
    }
    await expect(sign(currency, dying)).rejects.toThrow('killed')
    expect(await attempts(id)).toEqual([])
    expect(await first()).toMatchObject({ state: 'approved' })
    await sign(currency)
    expect(await attempts(id)).toMatchObject([{ transaction_id: signed }])
    await w.carryOut(currency)
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })

  it('is not paid twice from a database that was restored from before the broadcast, with or without the signer’s file', async () => {
    const id = await approved(currency)
    await sign(currency)
    const [before] = await attempts(id)
    await w.send(chainOf(currency))
    const received = await w.received(currency)
    await forget(id)
    // Without the file: the payment is found on the chain or in the mempool, and sending stops.
    await sign(currency, { journal: openJournal(undefined) })
    expect(await attempts(id)).toEqual([])
    expect(await findStop(test.app.context.db, chainOf(currency), 'sending')).toBeDefined()
    await w.mine(chainOf(currency), 12)
    const paid = await w.received(currency)
    await sign(currency, { journal: openJournal(undefined) })
    await w.mine(chainOf(currency), 12)
    expect(await w.received(currency)).toBe(paid)
    if (currency !== 'BTC') expect(paid - received).toBe(RECEIVED[currency])
    // With the file: the same bytes are stored again, and found in their block.
    await resumeSending(test.app.context, chainOf(currency), { actor: staff, why: 'Explained' })
    await sign(currency)
    expect(await attempts(id)).toMatchObject([{ transaction_id: before?.transaction_id, height: expect.any(Number) }])
    await w.mine(chainOf(currency), 1)
    expect(await first()).toMatchObject({ state: 'confirmed' })
    expect(await w.received(currency)).toBe(paid)
  })
})

async function resume(chain: Chain): Promise<void> {
  await resumeSending(test.app.context, chain, { actor: staff, why: 'Looked at it' })
}

/** Removes every trace of the signing, as in an older copy of the database. */
async function forget(id: string, state = 'approved'): Promise<void> {
  const { db } = test.app.context
  await behindTheBack(
    db,
    sql`update chain_accounts set next_nonce = next_nonce - 1 where address_id in (select from_id from chain_sends where id = ${id}) and next_nonce > 0`
  )
  await behindTheBack(
    db,
    sql`delete from chain_attempt_coins where attempt_id in (select id from chain_attempts where send_id = ${id})`
  )
  await behindTheBack(db, sql`delete from chain_attempts where send_id = ${id}`)
  await behindTheBack(db, sql`delete from chain_sends where id = ${id}`)
  await behindTheBack(db, sql`update withdrawals set state = ${state}, signed_at = null where id = ${id}`)
}

describe('what waits', () => {
  it('waits while the network asks for more than three times our fee', async () => {
    await w.fault('bitcoin', { priceTimes: 100 })
    const id = await approved('BTC')
    await sign('BTC')
    expect(await first()).toMatchObject({ state: 'approved', waits: 'network_fee', isCancellable: true })
    await w.fault('bitcoin', { priceTimes: 1 })
    await sign('BTC')
    expect(await first()).toMatchObject({ state: 'signed', waits: null })
    expect(await attempts(id)).toHaveLength(1)
    await w.carryOut('BTC')
  })

  it.each(['losses', 'fees', 'treasury'] as const)(
    'waits while customers have far more than there are coins: booked from %s',
    async (kind) => {
      const id = await approved('CPC')
      const other = await test.customer()
      const most = test.app.chains.withdrawals.owedMost.CPC
      // Without a payment on the chain: as somebody with a password of the database would book it.
      const made = {
        source: house(kind),
        destination: customerAccount(other.userId, 'spot'),
        currency: 'CPC',
        amount: units('CPC', 60_000_000) + most
      }
      await test.adjust([made])
      await sign('CPC')
      expect(await first()).toMatchObject({ state: 'approved', waits: 'hot_wallet' })
      expect(await attempts(id)).toEqual([])
      await test.adjust([{ ...made, source: made.destination, destination: made.source }])
      await settleStock(test.app.context)
      await sign('CPC')
      expect(await first()).toMatchObject({ state: 'signed', waits: null })
      await w.carryOut('CPC')
    }
  )

  it.each(['BTC', 'ETH', 'USDC', 'CPC'] as const)('of %s to another customer’s address is credited there', async (currency) => {
    const other = await test.customer()
    const to = await w.addressFor(other, currency)
    const [row] = await all<{ public_key: string | null }>(sql`select public_key from chain_addresses where address = ${to}`)
    await approved(currency, { to, ...(row?.public_key && { publicKey: row.public_key }) })
    await w.carryOut(currency)
    expect(await first()).toMatchObject({ state: 'confirmed' })
    expect(await w.spotOf(other, currency)).toBe(RECEIVED[currency])
    expect(await w.history(other)).toHaveLength(1)
  })

  it('waits while the hot wallet has too little, and where sending is stopped', async () => {
    await approved('CPC')
    const node = await test.app.ports.chainNode('cpc')
    await sign('CPC', { node: { ...node, holds: async () => 0n } })
    expect(await first()).toMatchObject({ waits: 'hot_wallet' })
    await stopChain(test.app.context, 'cpc', { actor: staff, why: 'Maintenance' }, 'sending')
    await sign('CPC')
    expect(await first()).toMatchObject({ waits: 'halted' })
    await resumeSending(test.app.context, 'cpc', { actor: staff, why: 'Done' })
    await w.carryOut('CPC')
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })

  it('waits at the signer’s own limit, which the database cannot change', async () => {
    await approved('USDC')
    await sign('USDC', { limits: { ...(await signing('USDC')).limits, dayCents: 3_000n } })
    expect(await first()).toMatchObject({ state: 'approved', waits: 'signer_limit' })
    await w.carryOut('USDC')
  })

  it('waits at that limit also where the signer’s clock was moved on by a day: the newest block says what time it is', async () => {
    await approved('USDC')
    await w.carryOut('USDC')
    const newest = test.app.context.clock()
    const limits = { ...(await signing('USDC')).limits, dayCents: 6_000n }
    test.pass(25 * 3600)
    customer = await test.customer()
    await approved('USDC')
    const { node } = await signing('USDC')
    await sign('USDC', { limits, node: { ...node, newestTime: async () => newest } })
    expect(await first()).toMatchObject({ state: 'approved', waits: 'signer_limit' })
    await sign('USDC', { limits })
    expect(await first()).toMatchObject({ state: 'signed' })
    await w.carryOut('USDC')
  })

  it('waits at the gate where its customer removed the address meanwhile: the database was changed by nobody', async () => {
    const id = await approved('ETH')
    const addresses = await test.ask(customer, 'listWithdrawalAddresses')
    const [{ id: addressId }] = addresses.addresses ?? addresses
    const body = { id: addressId }
    expect((await test.send('POST', '/users/withdraw/addresses/remove', { token: customer.token, body })).status).toBe(200)
    await sign('ETH')
    expect(await first()).toMatchObject({ id, state: 'approved', waits: 'gate' })
    expect(await test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })).toMatchObject({ status: 200 })
  })

  it('waits while the account is locked or held', async () => {
    await approved('ETH')
    await test.app.context.db.execute(sql`update users set locked_at = now() where id = ${customer.userId}`)
    await sign('ETH')
    await test.app.context.db.execute(sql`update users set locked_at = null where id = ${customer.userId}`)
    expect(await first()).toMatchObject({ state: 'approved', waits: 'gate' })
    await w.carryOut('ETH')
  })

  it('is never signed to another address than the one that was asked for, whatever is in the database', async () => {
    const id = await approved('ETH')
    const evil = '0x000000000000000000000000000000000000dEaD'
    await expect(
      test.app.context.db.execute(sql`update withdrawals set receiver = ${evil} where id = ${id}`)
    ).rejects.toMatchObject({ cause: { message: expect.stringMatching(/never changed/) } })
    await behindTheBack(test.app.context.db, sql`update withdrawals set receiver = ${evil} where id = ${id}`)
    await sign('ETH')
    expect(await first()).toMatchObject({ state: 'approved', waits: 'checked' })
    await behindTheBack(test.app.context.db, sql`update withdrawals set receiver = ${STRANGER.ETH} where id = ${id}`)
    await w.carryOut('ETH')
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })

  it('is not signed where the database holds a withdrawal that nobody paid for', async () => {
    const id = randomUUID()
    await approved('ETH')
    const { db } = test.app.context
    await behindTheBack(
      db,
      sql`insert into withdrawals (id, user_id, chain, currency, amount, fee, address_id, receiver, from_spot, from_funding, usd_cents, euro_cents, state, requested_at)
          select ${id}, user_id, chain, currency, amount, fee, address_id, receiver, from_spot, from_funding, usd_cents, euro_cents, state, requested_at
          from withdrawals where user_id = ${customer.userId}`
    )
    await sign('ETH')
    expect(await attempts(id)).toEqual([])
    expect((await test.verifyLedger()).problems.length).toBeGreaterThan(0)
    await behindTheBack(db, sql`delete from withdrawals where id = ${id}`)
    await w.carryOut('ETH')
  })
})

describe('what is stuck', () => {
  it.each(['BTC', 'ETH'] as const)('gets a dearer %s attempt; whichever is in a block counts, once', async (currency) => {
    const chain = chainOf(currency)
    const id = await approved(currency)
    await sign(currency)
    await w.send(chain)
    await w.follow(chain)
    test.pass(3600)
    await w.replace(chain)
    const made = await attempts(id)
    expect(made).toHaveLength(2)
    expect(made[1]?.nonce).toBe(made[0]?.nonce)
    await w.mine(chain, 12)
    expect(await first()).toMatchObject({ state: 'confirmed', transactionId: made[1]?.transaction_id })
    expect(await w.holding(customer, currency)).toMatchObject({ outgoing: 0n, spot: 0n })
  })

  it('of Bitcoin may confirm by its first attempt after the second was made', async () => {
    const id = await approved('BTC')
    await sign('BTC')
    await w.send('bitcoin')
    const node = await test.app.ports.chainNode('bitcoin')
    test.pass(3600)
    await w.follow('bitcoin')
    await replaceStuck(test.app.context, await signing('BTC'))
    const made = await attempts(id)
    expect(made).toHaveLength(2)
    // The node never accepts the attempt with the higher fee.
    await broadcastDue(test.app.context, { ...node, broadcast: async () => Promise.reject(new NodeError('refused')) })
    await w.mine('bitcoin', 3)
    expect(await first()).toMatchObject({ state: 'confirmed', transactionId: made[0]?.transaction_id })
  })

  it('of CPC is made anew only after its deadline and confirmations, and given back after three of them', async () => {
    const id = await approved('CPC')
    await sign('CPC')
    await w.fault('cpc', { failedBroadcasts: 1000 })
    await w.send('cpc')
    await w.replace('cpc')
    expect(await attempts(id)).toHaveLength(1)
    for (let made = 2; made <= 3; made += 1) {
      test.pass(3601)
      await w.mine('cpc', 1)
      await w.replace('cpc')
      expect(await attempts(id), 'too early').toHaveLength(made - 1)
      await w.mine('cpc', 10)
      await w.replace('cpc')
      expect(await attempts(id)).toHaveLength(made)
    }
    expect(await first()).toMatchObject({ state: 'signed' })
    test.pass(3601)
    await w.mine('cpc', 11)
    expect(await first()).toMatchObject({ state: 'given_back', status: 'CANCELLED' })
    expect(await w.holding(customer, 'CPC')).toMatchObject({ spot: units('CPC', 100), outgoing: 0n })
  })

  it('whose place a payment of somebody else with our key took is given back after confirmations, and sending stops', async () => {
    const id = await approved('ETH')
    await sign('ETH')
    const [{ nonce } = { nonce: null }] = await attempts(id)
    const hot = await houseAddress(test.app.context.db, test.app.chains.deposits.proof, 'ethereum', 'hot')
    const { sandboxMempool } = await import('#lib/server/chains/schema.ts')
    const transaction = {
      id: `0x${randomUUID()}`,
      senders: [hot?.address ?? ''],
      spends: [],
      payments: [],
      nonce: nonce ?? '0',
      fee: '1'
    }
    await test.app.context.db.insert(sandboxMempool).values({ chain: 'ethereum', transaction })
    await w.mine('ethereum', 11)
    expect(await first()).toMatchObject({ state: 'signed' })
    expect(await findStop(test.app.context.db, 'ethereum', 'sending')).toBeDefined()
    await w.mine('ethereum', 1)
    // Nothing is given back until an operator has looked at the payment that used its nonce.
    expect(await first()).toMatchObject({ state: 'signed' })
    await resume('ethereum')
    await w.mine('ethereum', 1)
    expect(await first()).toMatchObject({ state: 'given_back' })
    expect(await w.holding(customer, 'ETH')).toMatchObject({ spot: units('ETH', 0.1), outgoing: 0n })
    // The next withdrawal uses the next nonce.
    test.pass(1)
    await w.fund(customer, 'ETH', units('ETH', 0.1))
    const next = await w.confirmed(customer, 'ETH', units('ETH', 0.1))
    await w.carryOut('ETH')
    expect(await attempts(next)).toMatchObject([{ nonce: String(BigInt(nonce ?? 0) + 1n), height: expect.any(Number) }])
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })
})

describe('a database that is not what the signer signed', () => {
  it.each(['BTC', 'ETH', 'CPC'] as const)(
    'restored to before the approval: %s is on its way again, and cannot be cancelled',
    async (currency) => {
      const id = await approved(currency)
      await sign(currency)
      await w.send(chainOf(currency))
      await forget(id, 'review')
      await w.mine(chainOf(currency), 1)
      expect(
        await test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token }),
        'the chain shows a payment'
      ).toMatchObject({
        status: 409
      })
      await resume(chainOf(currency))
      await sign(currency)
      expect(await first()).toMatchObject({ state: 'signed' })
      await w.mine(chainOf(currency), 12)
      expect(await first()).toMatchObject({ state: 'confirmed' })
    }
  )

  it('restored to between two attempts: the second one is stored again, and nothing is given back', async () => {
    const id = await approved('ETH')
    await sign('ETH')
    await w.send('ethereum')
    test.pass(3600)
    await w.replace('ethereum')
    const [, second] = await attempts(id)
    const { db } = test.app.context
    await behindTheBack(db, sql`delete from chain_attempts where transaction_id = ${second?.transaction_id}`)
    await w.mine('ethereum', 13)
    expect(await first()).toMatchObject({ state: 'signed' })
    await sign('ETH')
    expect(await attempts(id)).toMatchObject([{ height: null }, { height: expect.any(Number) }])
    await w.mine('ethereum', 1)
    expect(await first()).toMatchObject({ state: 'confirmed', transactionId: second?.transaction_id })
  })

  it('restored to before the request: the payment is kept for an operator, and sending stops', async () => {
    const id = await approved('CPC')
    await sign('CPC')
    await forget(id, 'approved')
    const { db } = test.app.context
    await behindTheBack(db, sql`update withdrawals set state = 'cancelled' where id = ${id}`)
    await sign('CPC')
    expect(await all(sql`select purpose from chain_sends where id = ${id}`)).toEqual([{ purpose: 'lost' }])
    expect((await findStop(db, 'cpc', 'sending'))?.why).toContain('which the database does not have, has given back')
    // It is not sent even after sending resumes: an operator must release it first.
    await resume('cpc')
    const received = await w.received('CPC')
    await w.carryOut('CPC')
    expect(await w.received('CPC')).toBe(received)
    await behindTheBack(db, sql`update chain_sends set purpose = 'withdrawal' where id = ${id}`)
    await behindTheBack(db, sql`update withdrawals set state = 'signed' where id = ${id}`)
    await resume('cpc')
    await w.carryOut('CPC')
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })

  it('restored to before the request: what the customer was paid is charged to them alone, once and whole', async () => {
    const { context } = test.app
    const id = await approved('CPC')
    await sign('CPC')
    await forget(id, 'approved')
    // As in an old copy of the books: nobody knows that it was signed, and the customer has the amount back.
    expect(await test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })).toMatchObject({ status: 200 })
    await sign('CPC')
    const charge = (userId = customer.userId) =>
      chargeLost(context, { id, userId, actor: staff, why: 'Their balance is from before the payment.' })
    expect(await charge(), 'it may never get into a block').toBe('unknown')
    await releaseSend(context, { id, actor: staff, why: 'It is ours' })
    await resume('cpc')
    await w.carryOut('CPC')
    const losses = await houseHas('losses', 'CPC')
    expect(await charge((await test.customer()).userId)).toBe('not_theirs')
    await expect(context.db.execute(sql`update chain_sends set customer = 'x' where id = ${id}`)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/never changed/) }
    })
    const back = { source: customerAccount(customer.userId, 'spot'), destination: house('treasury') }
    await test.adjust([{ ...back, currency: 'CPC', amount: units('CPC', 40) }])
    expect(await charge(), 'nothing is booked in part').toEqual({ currency: 'CPC', missing: units('CPC', 30) })
    await w.fund(customer, 'CPC', units('CPC', 40), 'funding')
    const outcomes = await Promise.all([charge(), charge()])
    expect(outcomes).toContainEqual({ currency: 'CPC', missing: 0n })
    expect(outcomes).toContain('charged')
    expect(await w.holding(customer, 'CPC')).toMatchObject({ spot: 0n, funding: units('CPC', 10) })
    expect((await houseHas('losses', 'CPC')) - losses).toBe(RECEIVED.CPC)
    expect((await test.ask(customer, 'listActivity')).lines).toContainEqual(expect.objectContaining({ name: 'adjustment' }))
  })

  it('shows an unknown payment while an operator has halted the chain: nobody cancels, and both reasons are kept', async () => {
    const id = await approved('ETH')
    await sign('ETH')
    await w.send('ethereum')
    const { db } = test.app.context
    await stopChain(test.app.context, 'ethereum', { actor: staff, why: 'A backup is put back' }, 'sending')
    await forget(id, 'review')
    await w.mine('ethereum', 1)
    expect((await openStops(db, 'ethereum', 'sending')).map(({ actor }) => actor)).toEqual(['staff:grace', 'system:chains'])
    expect(await test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })).toMatchObject({ status: 409 })
    await resume('ethereum')
    await sign('ETH')
    await w.mine('ethereum', 12)
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })

  it('is cancelled by request while the chain is suspicious: the signer answers, and signs it no more', async () => {
    const id = await approved('ETH')
    await stopChain(
      test.app.context,
      'ethereum',
      { actor: { kind: 'system', id: 'custody' }, why: 'Coins are missing' },
      'sending'
    )
    const cancel = () => test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })
    for (const _ of ['first', 'again'])
      expect(await cancel()).toMatchObject({ status: 409, body: { code: 'withdrawal_cancel_asked' } })
    expect(await first()).toMatchObject({ state: 'approved', isCancellable: false })
    await endCleared(test.app.context)
    expect(await first(), 'nobody has answered').toMatchObject({ state: 'approved' })
    await resume('ethereum')
    await sign('ETH')
    expect(await attempts(id), 'not signed after the wish').toEqual([])
    await stopChain(
      test.app.context,
      'ethereum',
      { actor: { kind: 'system', id: 'custody' }, why: 'Coins are missing' },
      'sending'
    )
    await clearAsked(test.app.context, await signing('ETH'))
    await endCleared(test.app.context)
    expect(await first()).toMatchObject({ state: 'cancelled' })
    expect(await w.holding(customer, 'ETH')).toMatchObject({ spot: units('ETH', AMOUNT.ETH), outgoing: 0n })
    await resume('ethereum')
  })

  it('asked to be cancelled is not cleared while a payment that nobody knows may have paid it', async () => {
    const id = await approved('ETH')
    const hot = await houseAddress(test.app.context.db, test.app.chains.deposits.proof, 'ethereum', 'hot')
    const { sandboxMempool } = await import('#lib/server/chains/schema.ts')
    const payment = { index: '0', address: STRANGER.ETH, token: 'ETH', amount: String(RECEIVED.ETH) }
    // Another signer with the same seed: neither the database nor this journal knows of it.
    const nonce = String(await (await test.app.ports.chainNode('ethereum')).countOf?.(hot?.address ?? ''))
    const transaction = {
      id: `0x${randomUUID()}`,
      senders: [hot?.address ?? ''],
      spends: [],
      payments: [payment],
      nonce,
      fee: '1'
    }
    await test.app.context.db.insert(sandboxMempool).values({ chain: 'ethereum', transaction })
    // Its block is kept no longer when the customer asks.
    await w.mine('ethereum', 102)
    expect(await test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })).toMatchObject({ status: 409 })
    await clearAsked(test.app.context, await signing('ETH'))
    await endCleared(test.app.context)
    expect(await first(), 'it may be paid').toMatchObject({ state: 'approved' })
    // Somebody else's withdrawal of another amount does not wait for it.
    customer = await test.customer()
    await w.fund(customer, 'ETH', units('ETH', 0.2))
    const other = await w.confirmed(customer, 'ETH', units('ETH', 0.2))
    expect(await test.send('POST', `/users/withdraw/${other}/cancel`, { token: customer.token })).toMatchObject({ status: 409 })
    await clearAsked(test.app.context, await signing('ETH'))
    await endCleared(test.app.context)
    expect(await first()).toMatchObject({ state: 'cancelled' })
    await behindTheBack(test.app.context.db, sql`delete from chain_strays where transaction_id = ${transaction.id}`)
    await behindTheBack(
      test.app.context.db,
      sql`update chain_accounts set next_nonce = ${nonce}::bigint + 1 where address_id = ${hot?.id.toString()}::bigint`
    )
    await resume('ethereum')
    await clearAsked(test.app.context, await signing('ETH'))
    await endCleared(test.app.context)
  })

  it('asked to be cancelled is cleared on Bitcoin where the unknown payment is older than it, whatever else is asked', async () => {
    const { context } = test.app
    const older = await approved('BTC')
    const olderCustomer = customer
    await stopChain(context, 'bitcoin', { actor: { kind: 'system', id: 'custody' }, why: 'Coins are missing' }, 'sending')
    const cancel = async (id: string) =>
      expect(await test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })).toMatchObject({ status: 409 })
    await cancel(older)
    await behindTheBack(
      context.db,
      sql`insert into chain_strays (chain, transaction_id, height, block_hash, read_at)
        values ('bitcoin', 'stray', 1, 'x', ${context.clock().toISOString()}::timestamptz)`
    )
    test.pass(3 * 3600)
    customer = await test.customer()
    await cancel(await approved('BTC'))
    await clearAsked(context, await signing('BTC'))
    await endCleared(context)
    expect([(await w.list(olderCustomer))[0]?.state, (await first())?.state]).toEqual(['approved', 'cancelled'])
    await behindTheBack(context.db, sql`delete from chain_strays where transaction_id = 'stray'`)
    await clearAsked(context, await signing('BTC'))
    await endCleared(context)
    await resume('bitcoin')
  })

  it('asked to be cancelled is not cleared by a signer that has signed it, whatever the database says', async () => {
    const id = await approved('ETH')
    await sign('ETH')
    await w.send('ethereum')
    await forget(id, 'review')
    await stopChain(
      test.app.context,
      'ethereum',
      { actor: { kind: 'system', id: 'custody' }, why: 'Coins are missing' },
      'sending'
    )
    await test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })
    await clearAsked(test.app.context, await signing('ETH'))
    await endCleared(test.app.context)
    expect(await first()).toMatchObject({ state: 'review' })
    await resume('ethereum')
    await sign('ETH')
    await w.mine('ethereum', 12)
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })

  it('cannot make a CPC payment look expired', async () => {
    const id = await approved('CPC')
    await sign('CPC')
    await w.send('cpc')
    const { db } = test.app.context
    await expect(db.execute(sql`update chain_attempts set expires_at = 1 where send_id = ${id}`)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/never changed/) }
    })
    await behindTheBack(db, sql`update chain_attempts set expires_at = 1 where send_id = ${id}`)
    await w.follow('cpc')
    test.pass(60)
    await w.replace('cpc')
    expect(await attempts(id)).toHaveLength(1)
    await w.mine('cpc', 10)
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })

  it('cannot make a replacement pay more, or somebody else', async () => {
    const id = await approved('ETH')
    await sign('ETH')
    await w.send('ethereum')
    const { db } = test.app.context
    const evil = '0x000000000000000000000000000000000000dEaD'
    await expect(db.execute(sql`update chain_sends set receiver = ${evil} where id = ${id}`)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/never changed/) }
    })
    await behindTheBack(db, sql`update chain_sends set receiver = ${evil} where id = ${id}`)
    test.pass(3600)
    await w.replace('ethereum')
    expect(await attempts(id)).toHaveLength(1)
    await behindTheBack(db, sql`update chain_sends set receiver = ${STRANGER.ETH} where id = ${id}`)
    await w.mine('ethereum', 12)
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })

  it('cannot bring a withdrawal that is over back to life', async () => {
    const id = await approved('ETH')
    await test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })
    const { db } = test.app.context
    await expect(db.execute(sql`update withdrawals set state = 'approved' where id = ${id}`)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/is over/) }
    })
    await behindTheBack(db, sql`update withdrawals set state = 'approved' where id = ${id}`)
    await sign('ETH')
    expect(await attempts(id)).toEqual([])
    expect(await first()).toMatchObject({ waits: 'checked' })
    await behindTheBack(db, sql`update withdrawals set state = 'cancelled', waits = null where id = ${id}`)
  })
})

describe('the signer believes no row', () => {
  const details = { party: 'self', name: 'Ada Lovelace' }
  /** Above the approval limit; waits for an operator. */
  async function big(amount = 0.1): Promise<string> {
    await w.fund(customer, 'BTC', units('BTC', amount))
    return w.confirmed(customer, 'BTC', units('BTC', amount), { details })
  }
  const claimApproved = (id: string) =>
    behindTheBack(
      test.app.context.db,
      sql`update withdrawals set usd_cents = 0, state = 'approved', approved_at = now() where id = ${id}`,
      sql`insert into withdrawal_decisions (withdrawal_id, decision, actor, why, decided_at) values (${id}, 'approved', 'staff:grace', 'x', now())`
    )

  it('about its worth: one that is called worthless and approved in the database goes back to an operator', async () => {
    const id = await big()
    await claimApproved(id)
    await sign('BTC')
    expect(await attempts(id)).toEqual([])
    expect(await first()).toMatchObject({ id, state: 'review' })
    const settings = test.app.chains.withdrawals
    expect(await approveWithdrawal(test.app.context, settings, { ...operator, id, why: 'Called' })).toBe('approved')
    await w.carryOut('BTC')
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })

  it.each([
    ['network', { networkNames: { bitcoin: 'bitcoin main', ethereum: '', cpc: '' } }],
    ['key', {}]
  ])('about its approval: one for another %s is none', async (what, changed) => {
    const id = await big()
    const settings = { ...test.app.chains.withdrawals, ...changed }
    const stranger = privateKey(signingKey(Buffer.alloc(32, 7)))
    const key = what === 'key' ? stranger : operator.key
    expect(await approveWithdrawal(test.app.context, settings, { ...operator, key, id, why: 'Called' })).toBe('approved')
    await sign('BTC')
    expect(await attempts(id)).toEqual([])
    expect(await first()).toMatchObject({ state: 'review' })
  })

  it.each(['currency', 'receiver', 'fee', 'amount', 'id'] as const)(
    'about its approval: another %s changes what is signed',
    (name) => {
      const row = { id: 'a', chain: 'ethereum', currency: 'ETH', receiver: 'x', amount: 10n, fee: 1n } as const
      const other = { currency: 'USDC', receiver: 'y', amount: 11n, fee: 2n, id: 'b' } as const
      const settings = test.app.chains.withdrawals
      expect(approvalText(settings, { ...row, [name]: other[name] })).not.toEqual(approvalText(settings, row))
    }
  )

  it('about the price: what is worth more now than when it was requested goes back to an operator', async () => {
    const id = await approved('ETH')
    const current = await test.app.ports.rates.current()
    const rates = {
      current: async () => ({
        ...current,
        pricesUsd: { ...current.pricesUsd, values: { ...current.pricesUsd.values, ETH: '50001' } }
      })
    }
    await sign('ETH', {}, { ...test.app.chains.withdrawals, rates })
    expect(await attempts(id)).toEqual([])
    expect(await first()).toMatchObject({ state: 'review' })
  })

  it('about a worthless price: what one payment may carry is limited in coins too', async () => {
    const current = await test.app.ports.rates.current()
    const rates = {
      current: async () => ({
        ...current,
        pricesUsd: { ...current.pricesUsd, values: { ...current.pricesUsd.values, BTC: '0.01' } }
      })
    }
    await w.fund(customer, 'BTC', units('BTC', 0.9))
    test.app.chains.withdrawals.rates = rates
    try {
      const id = await w.confirmed(customer, 'BTC', units('BTC', 0.9))
      await sign('BTC')
      expect(await attempts(id)).toEqual([])
      expect(await first()).toMatchObject({ state: 'approved', waits: 'signer_limit' })
    } finally {
      test.app.chains.withdrawals.rates = test.app.ports.rates
    }
  })
})

describe('a payment that no block takes', () => {
  const refusing = async (currency: ChainToken): Promise<ChainNode> => ({
    ...(await test.app.ports.chainNode(chainOf(currency))),
    broadcast: async () => Promise.reject(new NodeError('mempool min fee not met'))
  })
  /** Signed and offered to the network, which does not keep it. */
  async function stuck(currency: ChainToken): Promise<string> {
    const id = await approved(currency)
    await sign(currency)
    await broadcastDue(test.app.context, await refusing(currency))
    return id
  }
  const orderBy = (sendId: string, kind: 'bump' | 'cancel', by: typeof colleague) =>
    orderSend(test.app.context, { sendId, kind, mostFee: units('ETH', 0.05) }, { ...by, why: 'It has waited for hours.' })
  /** By two, each with a key in a file. */
  const order = async (sendId: string, kind: 'bump' | 'cancel') =>
    (await orderBy(sendId, kind, operator)) && (await orderBy(sendId, kind, colleague))
  const replace = async (currency: ChainToken) => replaceStuck(test.app.context, await signing(currency))

  it('lets nothing be signed behind it, until it is through', async () => {
    await stuck('ETH')
    const other = await test.customer()
    await w.fund(other, 'USDC', units('USDC', 50))
    await w.confirmed(other, 'USDC', units('USDC', 50))
    test.pass(301)
    await sign('USDC')
    expect((await w.list(other))[0]).toMatchObject({ state: 'approved', waits: 'stuck', isCancellable: true })
    await w.carryOut('ETH')
    await w.carryOut('USDC')
    expect((await w.list(other))[0]).toMatchObject({ state: 'confirmed' })
  })

  it('pays more than three times our fee only by an order that two persons signed', async () => {
    const id = await stuck('ETH')
    await w.fault('ethereum', { priceTimes: 100 })
    test.pass(301)
    await replace('ETH')
    expect(await attempts(id)).toHaveLength(1)
    await orderBy(id, 'bump', operator)
    await orderBy(id, 'bump', { ...operator, key: privateKey(signingKey(Buffer.alloc(32, 9))) })
    await replace('ETH')
    expect(await attempts(id), 'one person, and a key of nobody').toHaveLength(1)
    expect(await order(id, 'bump')).toBe(true)
    await replace('ETH')
    expect(await attempts(id)).toHaveLength(2)
    await w.carryOut('ETH')
    expect(await first()).toMatchObject({ state: 'confirmed' })
  })

  it.each(['ETH', 'USDC', 'BTC'] as const)(
    'of %s gives its place to a payment to ourselves, and goes back to the customer once that is deep',
    async (currency) => {
      const id = await stuck(currency)
      const received = await w.received(currency)
      expect(await order(id, 'cancel')).toBe(true)
      for (const _ of ['first', 'again']) await replace(currency)
      const { journal } = await signing(currency)
      const instead = journal.since(chainOf(currency), new Date(0)).findLast(({ purpose }) => purpose === 'cancel')
      // A node of Bitcoin takes it only for more than the first one pays.
      if (currency === 'BTC') expect(instead?.networkFee).toBeGreaterThan(journal.of(id)[0]?.networkFee ?? 0n)
      expect(await attempts(id), 'no second attempt of the payment itself').toHaveLength(1)
      await broadcastDue(test.app.context, await test.app.ports.chainNode(chainOf(currency)))
      await w.follow(chainOf(currency))
      expect(await first()).toMatchObject({ state: 'signed' })
      await w.mine(chainOf(currency), 12)
      expect(await first()).toMatchObject({ state: 'given_back' })
      expect(await w.holding(customer, currency)).toMatchObject({ spot: units(currency, AMOUNT[currency]), outgoing: 0n })
      if (currency !== 'BTC') expect(await w.received(currency)).toBe(received)
      expect(await findStop(test.app.context.db, chainOf(currency), 'sending')).toBeUndefined()
      expect(await order(id, 'cancel'), 'it is over').toBe(false)
    }
  )

  it.skipIf(process.env.ENGINE !== 'postgres')(
    'that is replaced while its block is being stored keeps its place: nothing waits for the replacement',
    async () => {
      const { context, chains } = test.app
      const id = await stuck('ETH')
      expect(await order(id, 'cancel')).toBe(true)
      const node = await test.app.ports.chainNode('ethereum')
      const signer = await signing('ETH')
      await node.broadcast(signer.journal.of(id)[0]?.bytes ?? '')
      await sandboxMine(context, 'ethereum', 1)
      let replacing: Promise<unknown> | undefined
      const listener: BlockListener = {
        added: async ({ tx }) => {
          replacing ??= replaceStuck(context, signer)
          await untilWaiting(tx)
        },
        removed: async () => undefined,
        grown: async () => undefined
      }
      await followChain(context, node, { ...chains.following, blocks: [...chains.following.blocks, listener] })
      await replacing
      await w.mine('ethereum', 12)
      expect(await first()).toMatchObject({ state: 'confirmed' })
      const other = await test.customer()
      await w.fund(other, 'USDC', units('USDC', 50))
      await w.confirmed(other, 'USDC', units('USDC', 50))
      test.pass(301)
      await w.carryOut('USDC')
      expect((await w.list(other))[0]).toMatchObject({ state: 'confirmed' })
    }
  )
})

describe('one that cannot be paid', () => {
  it('does not keep the others back', async () => {
    await approved('ETH')
    const other = await test.customer()
    await w.fund(other, 'ETH', units('ETH', 0.2))
    await w.confirmed(other, 'ETH', units('ETH', 0.2))
    const node = await test.app.ports.chainNode('ethereum')
    const refuses: ChainNode = {
      ...node,
      sizeOf: async (from, payout) => {
        if (payout.amount === RECEIVED.ETH) throw new NodeError('execution reverted')
        return node.sizeOf(from, payout)
      }
    }
    await sign('ETH', { node: refuses })
    expect(await first()).toMatchObject({ state: 'approved', waits: 'refused' })
    expect((await w.list(other))[0]).toMatchObject({ state: 'signed' })
    await w.carryOut('ETH')
  })

  it.each(CHAINS)(
    'on %s, whatever it throws, waits as refused with an error in the log, and the others are signed',
    async (chain) => {
      const currency = ({ bitcoin: 'BTC', ethereum: 'ETH', cpc: 'CPC' } as const)[chain]
      const bad = await approved(currency)
      const other = await test.customer()
      await w.fund(other, currency, units(currency, AMOUNT[currency] * 2))
      await w.confirmed(other, currency, units(currency, AMOUNT[currency] * 2))
      const { sign: real } = await signing(currency)
      const errors: object[] = []
      const log = { ...test.app.context.log, error: (line: object) => errors.push(line), warn: () => undefined }
      const thrower: Signing['sign'] = async (plan) => {
        if (plan.payout.amount === RECEIVED[currency]) throw new Error('wrong taproot public key')
        return real(plan)
      }
      await w.follow(chain)
      for (const _ of [1, 2]) {
        const signer = { ...(await signing(currency)), sign: thrower }
        await signApproved({ ...test.app.context, log } as never, test.app.chains.withdrawals, signer)
      }
      expect(await first()).toMatchObject({ id: bad, state: 'approved', waits: 'refused', isCancellable: true })
      expect((await w.list(other))[0]).toMatchObject({ state: 'signed' })
      const about = errors.filter((line) => 'withdrawal' in line && line.withdrawal === bad)
      expect(about).toEqual([{ withdrawal: bad, err: expect.objectContaining({ message: 'wrong taproot public key' }) }])
      await w.carryOut(currency)
      expect(await first()).toMatchObject({ state: 'confirmed' })
    }
  )

  it('two hundred times in front keeps no stuck payment from its next attempt', async () => {
    const stuck = await approved('BTC')
    await sign('BTC')
    await w.send('bitcoin')
    test.pass(3600)
    await w.follow('bitcoin')
    await behindTheBack(
      test.app.context.db,
      sql`insert into withdrawals select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid(), 'state', 'approved', 'signed_at', null))).*
        from withdrawals w, generate_series(1, 200) where w.id = ${stuck}`
    )
    const { sign: real, ...rest } = await signing('BTC')
    const broken: Signing = {
      ...rest,
      sign: real,
      node: { ...rest.node, findUnknown: async () => Promise.reject(new Error('a fault')) }
    }
    const bitcoin = signJobs(test.app.context, test.app.chains.withdrawals, async () => broken).find(
      ({ name }) => name === 'sign_bitcoin'
    )
    await bitcoin?.run(undefined as never, undefined as never)
    expect(await attempts(stuck)).toHaveLength(2)
    await behindTheBack(
      test.app.context.db,
      sql`delete from withdrawals w where receiver = ${STRANGER.BTC} and id <> ${stuck} and state = 'approved'`
    )
    await w.carryOut('BTC')
  })

  it('is one of at most twenty of a customer', async () => {
    await w.fund(customer, 'CPC', units('CPC', 1000))
    for (let count = 0; count < 20; count += 1) expect((await w.ask(customer, 'CPC', units('CPC', 11))).status).toBe(200)
    expect(await w.ask(customer, 'CPC', units('CPC', 11))).toMatchObject({ status: 409, body: { code: 'withdrawals_open' } })
  })
})

describe('a reorganisation', () => {
  it('before the confirmation puts it back on its way, and the same bytes are sent again', async () => {
    const id = await approved('BTC')
    await sign('BTC')
    await w.send('bitcoin')
    await w.mine('bitcoin', 1)
    expect(await attempts(id)).toMatchObject([{ height: expect.any(Number) }])
    await w.reorganise('bitcoin', 1, true)
    expect(await attempts(id)).toMatchObject([{ height: null }])
    expect(await first()).toMatchObject({ state: 'signed' })
    await w.mine('bitcoin', 3)
    expect(await first()).toMatchObject({ state: 'confirmed' })
    expect(await attempts(id)).toHaveLength(1)
  })
})
