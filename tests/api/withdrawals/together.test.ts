/** Withdrawals that are signed together: one round of the node, one write of the journal, and no payment twice. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ChainToken, chainOf } from '#lib/domain/chains/chains.ts'
import { broadcastDue, type Entry, NodeError, openStops, replaceStuck, type Signing, signSend } from '#lib/server/chains/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { signApproved } from '#lib/server/withdrawals/index.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { STRANGER, units, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
let w: ReturnType<typeof withdrawalsOf>

beforeAll(async () => {
  test = await createTestApp()
  w = withdrawalsOf(test)
  await w.stock()
})
beforeEach(() => test.pass(25 * 3600))
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

type Made = { id: string; customer: Customer }
const SUM: Record<ChainToken, number> = { BTC: 0.004, ETH: 0.1, USDC: 50, CPC: 100 }

/** Approved withdrawals of one customer each; the first is of the usual amount, each later one of a little more. */
async function approved(currency: ChainToken, count: number): Promise<Made[]> {
  const made: Made[] = []
  for (let at = 0; at < count; at += 1) {
    const customer = await test.customer()
    const amount = units(currency, SUM[currency]) + BigInt(at) * units(currency, SUM[currency] / 100)
    await w.fund(customer, currency, amount)
    made.push({ customer, id: await w.confirmed(customer, currency, amount) })
  }
  await w.follow(chainOf(currency))
  return made
}

async function signing(currency: ChainToken): Promise<Signing> {
  const found = await test.app.chains.signingOf?.(chainOf(currency))
  if (!found) throw new Error('The test has the seed')
  return found
}
const sign = async (currency: ChainToken, changed: Partial<Signing> = {}) =>
  signApproved(test.app.context, test.app.chains.withdrawals, { ...(await signing(currency)), ...changed })
/** A signer that dies after it has written its journal, before the commit. Returns the ids of what it has signed. */
async function signAndDie(currency: ChainToken): Promise<string[]> {
  const { journal } = await signing(currency)
  let signed: string[] = []
  const dying: Signing['journal'] = {
    ...journal,
    write: (entries, ...rest) => {
      journal.write(entries, ...rest)
      signed = entries.map(({ transactionId }) => transactionId)
      throw new Error('killed')
    }
  }
  await expect(sign(currency, { journal: dying })).rejects.toThrow('killed')
  return signed
}
const stateOf = async ({ customer }: Made) => {
  const [row] = await w.list(customer)
  return row.waits ?? row.state
}
const statesOf = async (list: Made[]) => Promise.all(list.map(stateOf))
const noncesOf = async (list: Made[]) => {
  const { journal } = await signing('ETH')
  return list.flatMap(({ id }) => journal.of(id).map(({ nonce }) => Number(nonce)))
}
const inTurn = (nonces: number[]) =>
  nonces.toSorted((a, b) => a - b).every((nonce, at, all) => at === 0 || nonce === (all[at - 1] ?? 0) + 1)
async function expectPaidOnce(currency: ChainToken, list: Made[]) {
  await w.carryOut(currency)
  expect(await statesOf(list)).toEqual(list.map(() => 'confirmed'))
  const { journal } = await signing(currency)
  for (const { id } of list) expect(journal.of(id)).toHaveLength(1)
  expect(await openStops(test.app.context.db, chainOf(currency), 'sending')).toEqual([])
}

it('asks the node once and writes the journal once for all of them', async () => {
  const list = await approved('ETH', 6)
  const { node, journal } = await signing('ETH')
  const asked: string[] = []
  const written: Entry[][] = []
  await sign('ETH', {
    node: {
      ...node,
      price: () => {
        asked.push('price')
        return node.price()
      },
      findUnknown: (wallet) => {
        asked.push('unknown')
        return node.findUnknown(wallet)
      }
    },
    journal: {
      ...journal,
      write: (entries, ...rest) => {
        written.push(entries)
        journal.write(entries, ...rest)
      }
    }
  })
  expect(asked).toEqual(['price', 'unknown'])
  expect(written.map((entries) => entries.length)).toEqual([6])
  expect(inTurn(await noncesOf(list))).toBe(true)
  await expectPaidOnce('ETH', list)
})

it('spends no coin of Bitcoin twice', async () => {
  const list = await approved('BTC', 3)
  await sign('BTC')
  const { journal } = await signing('BTC')
  const coins = list.flatMap(({ id }) => journal.of(id).flatMap(({ outpoints }) => outpoints))
  expect(coins.length).toBeGreaterThan(0)
  expect(new Set(coins).size).toBe(coins.length)
  for (let run = 0; run < 3; run += 1) await w.carryOut('BTC')
  await expectPaidOnce('BTC', list)
})

it('leaves no gap between nonces where some of them are not signed', async () => {
  const list = await approved('ETH', 5)
  const [refused, , dear, , locked] = list
  const { node, limits } = await signing('ETH')
  const amountOf = async (one: Made | undefined) => BigInt((one && (await w.list(one.customer))[0].amount) ?? 0)
  const [ofRefused, ofDear] = [await amountOf(refused), await amountOf(dear)]
  const fee = units('ETH', 0.0008)
  const release = await hold(locked?.id ?? '')
  await sign('ETH', {
    node: {
      ...node,
      sizeOf: async (from, payout) => {
        if (payout.amount === ofRefused - fee) throw new NodeError('execution reverted')
        return payout.amount === ofDear - fee ? 10_000_000n : node.sizeOf(from, payout)
      }
    },
    limits
  })
  expect(await statesOf(list)).toEqual(['refused', 'signed', 'network_fee', 'signed', 'approved'])
  await release()
  expect(inTurn(await noncesOf(list))).toBe(true)
  await sign('ETH')
  expect(inTurn(await noncesOf(list))).toBe(true)
  await expectPaidOnce('ETH', list)
})

/** Locks a withdrawal as its customer's cancellation does, until it is released. */
async function hold(id: string): Promise<() => Promise<void>> {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let held: Promise<void> = Promise.resolve()
  await new Promise<void>((resolve) => {
    held = test.app.context.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from withdrawals where id = ${id} for update`)
      resolve()
      await released
    })
  })
  return async () => {
    release()
    await held
  }
}

it('signs those within the limits, and of the others none', async () => {
  const list = await approved('ETH', 3)
  const { limits } = await signing('ETH')
  const day = units('ETH', 0.0992) + units('ETH', 0.1002)
  await sign('ETH', { limits: { ...limits, newPercent: 100n, coins: { ...limits.coins, ETH: { ...limits.coins.ETH, day } } } })
  expect(await statesOf(list)).toEqual(['signed', 'signed', 'signer_limit'])
  await sign('ETH')
  expect(inTurn(await noncesOf(list))).toBe(true)
  await expectPaidOnce('ETH', list)
})

it('judges all of them anew where another chain has used up a limit meanwhile', async () => {
  const list = await approved('ETH', 2)
  const { journal } = await signing('ETH')
  let times = 0
  await sign('ETH', {
    journal: {
      ...journal,
      judge: (...all) => {
        times += 1
        // Between the check and the write of the first try, somebody else signs.
        return times === 1 ? all[0].map(() => undefined) : journal.judge(...all)
      }
    },
    limits: { ...(await signing('ETH')).limits, dayCents: 1n }
  })
  expect(times).toBe(2)
  expect(await statesOf(list)).toEqual(['signer_limit', 'signer_limit'])
  expect(await noncesOf(list)).toEqual([])
  await sign('ETH')
  await expectPaidOnce('ETH', list)
})

it.each(['ETH', 'BTC', 'CPC'] as const)(
  'of %s that were signed by a signer that died before the commit are all stored by the next run, as they were signed',
  async (currency) => {
    const list = await approved(currency, 3)
    const signed = await signAndDie(currency)
    expect(signed).toHaveLength(3)
    expect(await statesOf(list)).toEqual(['approved', 'approved', 'approved'])
    await sign(currency)
    expect(await statesOf(list)).toEqual(['signed', 'signed', 'signed'])
    const ids = list.map(({ id }) => id)
    const stored = rowsOf<{ transaction_id: string }>(
      await test.app.context.db.execute(sql`select transaction_id from chain_attempts where send_id in ${ids}`)
    )
    expect(stored.map((row) => row.transaction_id).toSorted()).toEqual(signed.toSorted())
    await expectPaidOnce(currency, list)
  }
)

it('all wait behind a payment that no block takes, and none of them has a nonce', async () => {
  const [head] = await approved('ETH', 1)
  await sign('ETH')
  const node = await test.app.ports.chainNode('ethereum')
  const refusing = { ...node, broadcast: async () => Promise.reject(new NodeError('mempool min fee not met')) }
  await broadcastDue(test.app.context, refusing)
  test.pass(301)
  const list = await approved('ETH', 3)
  await sign('ETH')
  expect(await statesOf(list)).toEqual(['stuck', 'stuck', 'stuck'])
  expect(await noncesOf(list)).toEqual([])
  await replaceStuck(test.app.context, await signing('ETH'))
  await w.carryOut('ETH')
  if (!head) throw new Error('There is a head')
  expect(await stateOf(head)).toBe('confirmed')
  await expectPaidOnce('ETH', list)
})

it('two payments of the same bytes are not signed as two', async () => {
  const list = await approved('CPC', 2)
  const { sign: real } = await signing('CPC')
  let first: Awaited<ReturnType<typeof real>> | undefined
  await sign('CPC', {
    sign: async (plan) => {
      first ??= await real(plan)
      return first
    }
  })
  expect((await statesOf(list)).toSorted()).toEqual(['refused', 'signed'])
  await sign('CPC')
  await expectPaidOnce('CPC', list)
})

it.each(['over a limit', 'that no key signs'])('one %s takes nothing from those behind it', async (why) => {
  const [large, small] = [units('ETH', 0.3), units('ETH', 0.1)]
  const list: Made[] = []
  for (const amount of [large, small]) {
    const customer = await test.customer()
    await w.fund(customer, 'ETH', amount)
    list.push({ customer, id: await w.confirmed(customer, 'ETH', amount) })
    // The large one is looked at first: it was requested first.
    test.pass(1)
  }
  await w.follow('ethereum')
  const { node, limits, sign: real } = await signing('ETH')
  // Enough for either of them, not for both.
  const holds: typeof node.holds = async (place, height) => {
    const has = await node.holds(place, height)
    return has < units('ETH', 0.35) ? has : units('ETH', 0.35)
  }
  const isLimited = why === 'over a limit'
  const payment = isLimited ? units('ETH', 0.2) : limits.coins.ETH.payment
  await sign('ETH', {
    node: { ...node, holds },
    limits: { ...limits, coins: { ...limits.coins, ETH: { ...limits.coins.ETH, payment } } },
    sign: async (plan) => {
      if (!isLimited && plan.payout.amount > units('ETH', 0.2)) throw new Error('no key')
      return real(plan)
    }
  })
  expect(await statesOf(list)).toEqual([isLimited ? 'signer_limit' : 'refused', 'signed'])
  await sign('ETH')
  await expectPaidOnce('ETH', list)
})

it('a transaction that runs again after the journal was written stores all of it, or ends the run', async () => {
  const list = await approved('ETH', 4)
  const { journal } = await signing('ETH')
  const last = list.at(-1)?.id ?? ''
  let release: (() => Promise<void>) | undefined
  let writes = 0
  const conflicting = {
    ...journal,
    write: (entries: Entry[], ...rest: [Signing['limits'], Date?]) => {
      writes += 1
      journal.write(entries, ...rest)
      if (writes === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    }
  }
  const { db } = test.app.context
  // Between the two tries somebody locks one of the rows.
  const between = new Proxy(db, {
    get: (target, key) => {
      const value = Reflect.get(target, key)
      if (key !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
      return async (...all: Parameters<typeof db.transaction>) => {
        if (writes === 1) release ??= await hold(last)
        return target.transaction(...all)
      }
    }
  })
  const signer = { ...(await signing('ETH')), journal: conflicting }
  const run = signApproved({ ...test.app.context, db: between }, test.app.chains.withdrawals, signer)
  await expect(run).rejects.toThrow('could not be stored')
  await release?.()
  expect(await statesOf(list)).toEqual(['approved', 'approved', 'approved', 'approved'])
  const nonces = await noncesOf(list)
  await sign('ETH')
  expect(await noncesOf(list)).toEqual(nonces)
  expect(new Set(nonces).size).toBe(4)
  await expectPaidOnce('ETH', list)
})

it('what the journal has and the database lacks keeps its nonce from every other payment', async () => {
  const list = await approved('ETH', 2)
  await signAndDie('ETH')
  // Another part of the signer, which does not store what the first one has signed.
  const asked = {
    id: randomUUID(),
    payout: { to: STRANGER.ETH, token: 'ETH', amount: 1n } as const,
    mostFee: 10n ** 17n,
    cents: 0n
  }
  const outcome = await signSend(test.app.context, await signing('ETH'), { ...asked, purpose: 'sweep', claim: async () => true })
  expect(outcome).toBe('behind')
  await sign('ETH')
  await expectPaidOnce('ETH', list)
})

it('what was signed is stored however long ago it was, and the account signs again', async () => {
  const list = await approved('ETH', 1)
  await signAndDie('ETH')
  test.pass(31 * 24 * 3600)
  list.push(...(await approved('ETH', 2)))
  await sign('ETH')
  // The first one has waited for a block for a month by now.
  await replaceStuck(test.app.context, await signing('ETH'))
  await w.carryOut('ETH')
  await w.carryOut('ETH')
  expect(await statesOf(list)).toEqual(['confirmed', 'confirmed', 'confirmed'])
  expect(inTurn([...new Set(await noncesOf(list))])).toBe(true)
})
