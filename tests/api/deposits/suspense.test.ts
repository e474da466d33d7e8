/** Coins that arrived and are nobody's: decided once, by name; addresses that are set aside; stops that came after a look. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStops, retireAddresses, stopChain } from '#lib/server/chains/index.ts'
import { decideSuspended, suspendedCoins } from '#lib/server/deposits/index.ts'
import { customerAccount, house, houseBalance } from '#lib/server/ledger/index.ts'
import { privateKey, signingKey } from '#lib/server/platform/ed25519.ts'
import { compareCustody, orderReturn } from '#lib/server/withdrawals/index.ts'
import { resumeSending } from '#support/stops.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { COLLEAGUE_ENV, colleague, operator, STRANGER, units, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
let w: ReturnType<typeof withdrawalsOf>
const by = { actor: { kind: 'staff', id: 'grace' }, why: 'The customer sent a proof.' } as const
beforeAll(async () => {
  test = await createTestApp({ env: COLLEAGUE_ENV })
  w = withdrawalsOf(test)
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const decide = (coins: { kind: 'deposit' | 'surplus'; id: bigint }, userId?: string) =>
  decideSuspended(test.app.context, coins, { ...by, ...(userId && { userId }) })
/** A payment below the smallest deposit, which is kept in suspense. */
async function dust(customer: Customer) {
  const address = await w.addressFor(customer, 'CPC')
  await w.pay('cpc', { address, token: 'CPC', amount: units('CPC', 5) })
  await w.confirm('cpc')
  const [found] = (await suspendedCoins(test.app.context.db)).slice(-1)
  if (!found) throw new Error('Nothing is in suspense')
  return found
}

describe('coins in suspense', () => {
  it('are credited to a customer, once, by whoever decides first', async () => {
    const customer = await test.customer()
    const coins = await dust(customer)
    expect(coins).toMatchObject({ currency: 'CPC', amount: units('CPC', 5), about: expect.stringContaining('small') })
    const before = await houseBalance(test.app.context.db, 'suspense', 'CPC')
    expect(await decide(coins, randomUUID())).toBe('no_customer')
    const decided = await Promise.all([decide(coins, customer.userId), decide(coins, customer.userId), decide(coins)])
    expect(decided.filter((refusal) => refusal === undefined)).toHaveLength(1)
    expect(decided.filter((refusal) => refusal === 'unknown')).toHaveLength(2)
    expect(before - (await houseBalance(test.app.context.db, 'suspense', 'CPC'))).toBe(units('CPC', 5))
    expect(await suspendedCoins(test.app.context.db)).not.toContainEqual(coins)
  })

  it('are kept by the treasury', async () => {
    const coins = await dust(await test.customer())
    const before = await houseBalance(test.app.context.db, 'treasury', 'CPC')
    expect(await decide(coins)).toBeUndefined()
    expect((await houseBalance(test.app.context.db, 'treasury', 'CPC')) - before).toBe(units('CPC', 5))
    expect(await decide(coins)).toBe('unknown')
  })

  it('cannot be a deposit that was credited, or one that does not exist', async () => {
    const customer = await test.customer()
    const address = await w.addressFor(customer, 'CPC')
    await w.pay('cpc', { address, token: 'CPC', amount: units('CPC', 50) })
    await w.confirm('cpc')
    const [{ id }] = await w.history(customer)
    expect(await decide({ kind: 'deposit', id: BigInt(id) }, customer.userId)).toBe('unknown')
    expect(await decide({ kind: 'surplus', id: 1n }, customer.userId)).toBe('unknown')
  })

  it('are taken back from whom they were credited to when their block is removed, and credited once in all', async () => {
    const customer = await test.customer()
    const spot = () => w.spotOf(customer, 'CPC')
    const coins = await dust(customer)
    expect(await decide(coins, customer.userId)).toBeUndefined()
    expect(await spot()).toBe(units('CPC', 5))
    const suspense = await houseBalance(test.app.context.db, 'suspense', 'CPC')
    // The network drops the payment; then a block has it again.
    await w.reorganise('cpc', 13, true)
    expect(await spot(), 'the coins are gone').toBe(0n)
    expect(await houseBalance(test.app.context.db, 'suspense', 'CPC')).toBe(suspense)
    await w.confirm('cpc')
    const [again] = (await suspendedCoins(test.app.context.db)).slice(-1)
    if (!again) throw new Error('Nothing is in suspense')
    expect(await decide(again, customer.userId)).toBeUndefined()
    expect(await spot()).toBe(units('CPC', 5))
    // Spent in the meantime: a debt, which the next decision pays.
    await test.adjust([
      {
        source: customerAccount(customer.userId, 'spot'),
        destination: house('treasury'),
        currency: 'CPC',
        amount: units('CPC', 3)
      }
    ])
    await w.reorganise('cpc', 13, true)
    expect(await spot()).toBe(0n)
    await w.confirm('cpc')
    const [third] = (await suspendedCoins(test.app.context.db)).slice(-1)
    if (!third) throw new Error('Nothing is in suspense')
    expect(await decide(third, customer.userId)).toBeUndefined()
    expect(await spot(), 'less what they owed').toBe(units('CPC', 2))
  })

  it('of a token that we do not hold can only be kept', async () => {
    const customer = await test.customer()
    const address = await w.addressFor(customer, 'ETH')
    await w.pay('ethereum', { address, token: '0x00000000000000000000000000000000000000aa', amount: 7n })
    await w.confirm('ethereum')
    const coins = (await suspendedCoins(test.app.context.db)).find(({ amount }) => amount === 7n)
    if (!coins) throw new Error('Nothing is in suspense')
    expect(await decide(coins, customer.userId)).toBe('no_token')
    expect(await decide(coins)).toBeUndefined()
  })
})

it('addresses that were set aside are given to nobody; what comes to one is kept, and credited by name', async () => {
  await w.fillPool()
  const { rows } = (await test.app.context.db.execute(
    "select address from chain_addresses where chain = 'cpc' and purpose = 'deposit' and user_id is null"
  )) as unknown as { rows: { address: string }[] }
  expect((await retireAddresses(test.app.context)).cpc).toBe(rows.length)
  const retired = rows.map(({ address }) => address)
  const customers = [await test.customer(), await test.customer()]
  for (const customer of customers) expect(retired).not.toContain(await w.addressFor(customer, 'CPC'))
  await w.pay('cpc', { address: retired[0] ?? '', token: 'CPC', amount: units('CPC', 70) })
  await w.confirm('cpc')
  const coins = (await suspendedCoins(test.app.context.db)).find(({ amount }) => amount === units('CPC', 70))
  expect(coins?.about).toContain('unassigned')
  const [customer] = customers
  if (!coins || !customer) throw new Error('Nothing is in suspense')
  expect(await decide(coins, customer.userId)).toBeUndefined()
  expect(await w.spotOf(customer, 'CPC')).toBe(units('CPC', 70))
})

it('are sent back by an order that two persons signed, less the fee, once, and booked when the chain has confirmed it', async () => {
  const { context, chains } = test.app
  await w.stock()
  await w.fillPool()
  const { rows } = (await context.db.execute(
    "select address from chain_addresses where chain = 'cpc' and retired_at is not null order by id limit 2"
  )) as unknown as { rows: { address: string }[] }
  await w.pay('cpc', { address: rows[1]?.address ?? '', token: 'CPC', amount: units('CPC', 80) })
  await w.confirm('cpc')
  const coins = (await suspendedCoins(context.db)).find(({ amount }) => amount === units('CPC', 80))
  if (!coins) throw new Error('Nothing is in suspense')
  const settings = chains.withdrawals
  const gone = new Set<string>()
  const mayStill = async (_: unknown, id: string) => !gone.has(id)
  const order = (to: string, one: typeof colleague = operator) =>
    orderReturn(context, settings, { suspended: coins, to, key: one.key, actor: one.actor, why: by.why, mayStill })
  expect(await order('nonsense')).toBe('no_address')
  const small = await dust(await test.customer())
  const asked = { suspended: small, to: STRANGER.CPC, key: operator.key, ...by, mayStill }
  expect(await orderReturn(context, settings, asked), 'less than a network carries').toBe('too_small')
  expect(await order(await w.addressFor(await test.customer(), 'CPC'))).toBe('ours')
  const before = [await houseBalance(context.db, 'suspense', 'CPC'), await w.received('CPC')] as const
  const outcomes = await Promise.all([order(STRANGER.CPC), order(STRANGER.CPC)])
  expect(outcomes.toSorted()).toEqual(['one_more', 'signed_before'])
  expect(
    (await suspendedCoins(context.db)).some(({ id }) => id === coins.id),
    'one person decides nothing'
  ).toBe(true)
  // The first person has lost the right, and then a day has passed: both times their signature does not count, and the next one is the first.
  gone.add('grace')
  expect(await order(STRANGER.CPC, colleague)).toBe('one_more')
  gone.clear()
  test.pass(25 * 3600)
  expect(await order(STRANGER.CPC)).toBe('one_more')
  const seconds = await Promise.all([order(STRANGER.CPC, colleague), order(STRANGER.CPC, colleague)])
  expect(seconds.toSorted()).toEqual(['ordered', 'unknown'])
  expect(await decide(coins), 'it is decided').toBe('unknown')
  await w.follow('cpc')
  for (const _ of ['signed', 'and once']) await w.send('cpc')
  await w.mine('cpc', 1)
  const [line] = (await compareCustody(context, await test.app.ports.chainNode('cpc'), chains.deposits.proof)) ?? []
  expect(line?.onChain).toBe(line?.expected)
  await w.mine('cpc', 12)
  expect((await w.received('CPC')) - before[1]).toBe(units('CPC', 70))
  // A database that was put back does not know of the order: the payment is kept as lost, and the chain halts.
  const { journal, limits } = (await chains.signingOf?.('cpc')) ?? {}
  const entry = journal?.since('cpc', new Date(0)).find(({ purpose }) => purpose === 'return')
  if (!journal || !limits || !entry) throw new Error('The signer has signed it')
  const forgotten = { sendId: randomUUID(), transactionId: 'e'.repeat(64), at: context.clock() }
  journal.write([{ ...entry, ...forgotten, bytes: entry.bytes.replace(entry.transactionId, forgotten.transactionId) }], limits)
  await w.send('cpc')
  expect((await openStops(context.db, 'cpc', 'sending')).map(({ why }) => why).join()).toContain(forgotten.sendId)
  await resumeSending(context, 'cpc', by)
  expect(before[0] - (await houseBalance(context.db, 'suspense', 'CPC'))).toBe(units('CPC', 80))
})

it('are not sent back by an order that no two persons of the signer’s list have signed', async () => {
  const { context, chains } = test.app
  const { rows } = (await context.db.execute(
    "select address from chain_addresses where chain = 'cpc' and retired_at is not null order by id limit 1"
  )) as unknown as { rows: { address: string }[] }
  await w.pay('cpc', { address: rows[0]?.address ?? '', token: 'CPC', amount: units('CPC', 90) })
  await w.confirm('cpc')
  const coins = (await suspendedCoins(context.db)).find(({ amount }) => amount === units('CPC', 90))
  if (!coins) throw new Error('Nothing is in suspense')
  // One of the list, and one that is on none.
  const stranger = privateKey(signingKey(new Uint8Array(32).fill(7)))
  const asked = { suspended: coins, to: STRANGER.CPC, why: by.why, mayStill: async () => true }
  expect(await orderReturn(context, chains.withdrawals, { ...asked, ...operator })).toBe('one_more')
  const other = { key: stranger, actor: { kind: 'staff', id: 'stranger' } } as const
  expect(await orderReturn(context, chains.withdrawals, { ...asked, ...other })).toBe('ordered')
  const before = await w.received('CPC')
  await w.follow('cpc')
  await w.send('cpc')
  await w.mine('cpc', 12)
  expect(await w.received('CPC')).toBe(before)
})

it('an operator resumes what they have seen: a reason that came since stays', async () => {
  const { context } = test.app
  await stopChain(context, 'cpc', { ...by, why: 'Seen.' }, 'sending')
  const [seen] = await openStops(context.db, 'cpc', 'sending')
  await stopChain(context, 'cpc', { ...by, why: 'Came since.' }, 'sending')
  expect((await resumeSending(context, 'cpc', by, seen?.id)).map(({ why }) => why)).toEqual(['Seen.'])
  expect((await openStops(context.db, 'cpc', 'sending')).map(({ why }) => why)).toEqual(['Came since.'])
  await resumeSending(context, 'cpc', by)
  expect(await openStops(context.db, 'cpc', 'sending')).toEqual([])
})
