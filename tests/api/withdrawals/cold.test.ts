/** Cold storage: coins above the ceiling move by themselves, stay counted, and come back with a transaction that is signed offline. */
import { HDKey } from '@scure/bip32'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHAINS, type Chain, type ChainToken, chainOf } from '#lib/domain/chains/chains.ts'
import { bitcoinColdWallet } from '#lib/server/chains/adapters/bitcoin/cold.ts'
import { sandboxMine } from '#lib/server/chains/adapters/sandboxWorld.ts'
import {
  acceptRefill,
  type BlockListener,
  chainOfFile,
  fillPool,
  findStop,
  followChain,
  houseAddress,
  type Refilling,
  type Signing,
  stopChain,
  writeRefill
} from '#lib/server/chains/index.ts'
import { JournalError, openJournal } from '#lib/server/chains/sending/journal.ts'
import { requireWholeJournal } from '#lib/server/chains/sending/store.ts'
import { type Account, customerAccount, house, houseBalance } from '#lib/server/ledger/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { compareCustody, moveToCold } from '#lib/server/withdrawals/index.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { COLD_ENV, prove, signSandbox } from '#support/cold.ts'
import { untilWaiting } from '#support/lockWaits.ts'
import { resumeSending } from '#support/stops.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
let w: ReturnType<typeof withdrawalsOf>
const TOKENS: ChainToken[] = ['BTC', 'ETH', 'USDC', 'CPC']
const LIMITS = { COLD_DAY_BTC: '15', COLD_DAY_ETH: '600', COLD_DAY_USDC: '3000000', COLD_DAY_CPC: '60000000' }
const staff = { kind: 'staff', id: 'grace' } as const

beforeAll(async () => {
  test = await createTestApp({ env: { ...COLD_ENV, ...LIMITS } })
  w = withdrawalsOf(test)
  await w.stock()
})
beforeEach(() => test.pass(25 * 3600))
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const db = () => test.app.context.db
const proof = () => test.app.chains.deposits.proof
const walletOf = async (chain: Chain) => {
  const wallet = await test.app.ports.coldWallet(chain)
  if (!wallet) throw new Error('The settings name cold storage')
  return wallet
}
const signingOf = async (chain: Chain, changes: Partial<Signing> = {}): Promise<Signing> => {
  const signing = await test.app.chains.signingOf?.(chain)
  if (!signing) throw new Error('The sandbox signs')
  return { ...signing, ...changes }
}
const sends = (purpose: string) =>
  db()
    .execute(
      sql`select id, currency, receiver, amount::text, state from chain_sends where purpose = ${purpose} order by signed_at, id`
    )
    .then((answer) => rowsOf<{ id: string; currency: ChainToken; receiver: string; amount: string; state: string }>(answer))
const custodyOf = async (token: ChainToken) => {
  await w.follow(chainOf(token))
  const lines = await compareCustody(
    test.app.context,
    await test.app.ports.chainNode(chainOf(token)),
    test.app.chains.deposits.proof
  )
  const line = lines?.find((one) => one.token === token)
  if (!line) throw new Error(`Nothing is compared of ${token}`)
  return line
}
const expectAgreement = async (when: string) => {
  for (const token of TOKENS) {
    const { onChain, expected } = await custodyOf(token)
    expect(onChain, `${token} ${when}`).toBe(expected)
  }
}
const refillingOf = async (chain: Chain): Promise<Refilling> => ({
  node: await test.app.ports.chainNode(chain),
  format: await test.app.ports.refillFormat(chain),
  proof: proof(),
  confirmations: { BTC: 3, ETH: 12, USDC: 12, CPC: 10 },
  wallet: await walletOf(chain)
})
const write = async (token: ChainToken, amount: bigint) => {
  const chain = chainOf(token)
  return (await writeRefill(test.app.context, await refillingOf(chain), { token, amount })).file
}
const accept = async (chain: Chain, file: Uint8Array) => {
  const refilling = await refillingOf(chain)
  return acceptRefill(test.app.context, refilling, await refilling.format.read(file))
}

describe('a hot wallet above its ceiling', () => {
  it('keeps its coins until the holder of the cold key has signed the challenge', async () => {
    for (const chain of CHAINS) await w.cool(chain)
    expect(await sends('cold')).toEqual([])
    const { journal } = await signingOf('ethereum')
    const wallet = await walletOf('ethereum')
    // Another chain's signature, and one of another text.
    journal.keepColdProof({ keyId: wallet.id, signature: '0x00', by: 'staff:grace', why: 'Test', at: new Date() })
    await w.cool('ethereum')
    expect(await sends('cold')).toEqual([])
  })

  it('moves them once where two runs of the job overlap, because the first took longer than its lease', async () => {
    const { journal } = await signingOf('cpc')
    await prove(journal, await walletOf('cpc'))
    const { context, chains } = test.app
    const { limits } = await signingOf('cpc')
    const signing = await signingOf('cpc', { limits: { ...limits, cold: { ...limits.cold, CPC: units('CPC', 999_999_999) } } })
    // The second one has looked at everything before the first signs, and signs after it.
    let isSeen: (() => void) | undefined
    const seen = new Promise<void>((resolve) => {
      isSeen = resolve
    })
    let first: Promise<void> | undefined
    const node = {
      ...signing.node,
      newestTime: async () => {
        isSeen?.()
        while (!first) await new Promise((resolve) => setTimeout(resolve, 1))
        await first
        return undefined
      }
    }
    const second = moveToCold(context, chains.cold, { ...signing, node })
    await seen
    first = moveToCold(context, chains.cold, signing)
    await first
    test.pass(5)
    await second
    expect(await sends('cold')).toHaveLength(1)
    await w.send('cpc')
    await w.mine('cpc', 12)
    await expectAgreement('moved once')
  })

  it('sends all but 5 % of all coins to cold storage, once, and the books agree at every step', async () => {
    const { journal } = await signingOf('bitcoin')
    for (const chain of CHAINS) await prove(journal, await walletOf(chain))
    const before = await Promise.all(TOKENS.map((token) => custodyOf(token)))
    for (const chain of CHAINS) {
      for (const _ of ['once', 'and again while it is under way']) await w.cool(chain)
      await expectAgreement(`${chain}: signed`)
      await w.mine(chain, 1)
      await expectAgreement(`${chain}: in a block`)
      await w.mine(chain, 12)
      await expectAgreement(`${chain}: booked`)
      await w.cool(chain)
    }
    const moved = await sends('cold')
    expect(moved.map(({ currency }) => currency).toSorted()).toEqual(['BTC', 'CPC', 'ETH', 'USDC'])
    for (const [index, token] of TOKENS.entries()) {
      const { hot, cold, onChain } = await custodyOf(token)
      expect(cold).toBe(BigInt(moved.find(({ currency }) => currency === token)?.amount ?? 0))
      expect(-(await houseBalance(db(), 'cold', token))).toBe(cold)
      // Of 20 BTC, 15 may be moved in a day.
      expect(Number(hot) / Number(onChain), `${token}: hot`).toBeCloseTo(token === 'BTC' ? 0.25 : 0.05, 3)
      expect(Number(onChain) / Number(before[index]?.onChain)).toBeCloseTo(1, 4)
    }
    const receivers = await db().execute(sql`select address from chain_addresses where purpose = 'cold'`)
    const cold = rowsOf<{ address: string }>(receivers).map(({ address }) => address)
    for (const { receiver } of moved) expect(cold).toContain(receiver)
  })

  it('goes on the next day where the limit of a day was reached, to a new address of the same key', async () => {
    await w.fillPool()
    await w.follow('bitcoin')
    await w.cool('bitcoin')
    await w.mine('bitcoin', 12)
    const moved = (await sends('cold')).filter(({ currency }) => currency === 'BTC')
    expect(moved).toHaveLength(2)
    expect(moved[0]?.receiver).not.toBe(moved[1]?.receiver)
    const { hot, onChain } = await custodyOf('BTC')
    expect(Number(hot) / Number(onChain)).toBeCloseTo(0.05, 3)
    const wallet = await walletOf('bitcoin')
    const [first, second] = [0, 1].map((position) => wallet.addressAt('cold', position).address)
    expect(moved.map(({ receiver }) => receiver)).toEqual([first, second])
  })

  it('signs no move above the limit of a day, whatever asks for it', async () => {
    const { journal, limits } = await signingOf('cpc')
    const most = limits.cold.CPC - journal.movedToCold('CPC', new Date(test.app.context.clock().getTime() - 24 * 3_600_000))
    const [entry] = journal.since('cpc', new Date(0)).filter(({ purpose }) => purpose === 'cold')
    if (!entry) throw new Error('CPC was moved')
    const next = { ...entry, sendId: 'one more', at: test.app.context.clock() }
    expect(() => journal.write([{ ...next, amount: most + 1n }], limits)).toThrow('cold_coins')
  })

  it('keeps what open withdrawals need', async () => {
    const customer = await test.customer()
    await w.fund(customer, 'USDC', units('USDC', 60_000))
    const hot = await houseAddress(db(), proof(), 'ethereum', 'hot')
    await w.pay('ethereum', { address: hot?.address ?? '', token: 'USDC', amount: units('USDC', 150_000) })
    await w.confirm('ethereum')
    const { hot: has } = await custodyOf('USDC')
    // As if it were many customers' withdrawals: one customer may not ask for so much.
    const asked = has - units('USDC', 30_000)
    const isMade = (source: Account, destination: Account) =>
      test.adjust([{ source, destination, currency: 'USDC', amount: asked }])
    const outgoing = customerAccount(customer.userId, 'outgoing')
    await db().execute(sql`
      insert into withdrawals (id, user_id, address_id, chain, currency, receiver, amount, fee, from_spot, from_funding, usd_cents, euro_cents, state, requested_at)
      select gen_random_uuid(), ${customer.userId}, a.id, 'ethereum', 'USDC', a.address, ${has.toString()}::numeric - 30000000000, 3000000, ${has.toString()}::numeric - 30000000000, 0, 0, 0, 'approved', now()
      from (${await anAddress(customer)}) a`)
    const moved = async () => (await sends('cold')).filter(({ currency }) => currency === 'USDC')
    await isMade(house('treasury'), outgoing)
    await w.cool('ethereum')
    const [last] = (await moved()).slice(-1)
    expect(BigInt(last?.amount ?? 0)).toBe(units('USDC', 30_000))
    await w.mine('ethereum', 12)
    await isMade(outgoing, house('treasury'))
    test.pass(25 * 3600)
    const before = await moved()
    await w.cool('ethereum')
    expect((await moved()).length, 'what is a row and was never booked keeps nothing hot').toBe(before.length + 1)
    await behindTheBack(db(), sql`delete from withdrawals where user_id = ${customer.userId}`)
    await w.mine('ethereum', 12)
  })
})

async function anAddress(customer: { userId: string }) {
  await db().execute(sql`
    insert into withdrawal_addresses (user_id, chain, address, created_at, confirmed_at)
    values (${customer.userId}, 'ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', now(), now())`)
  return sql`select id, address from withdrawal_addresses where user_id = ${customer.userId}`
}

describe('a refill', () => {
  it.each(TOKENS)(
    'of %s comes back with a signature of the offline machine, once, and the books agree at every step',
    async (token) => {
      const chain = chainOf(token)
      const amount = units(token, token === 'BTC' || token === 'ETH' ? 0.5 : 1000)
      const before = await custodyOf(token)
      await w.mine(chain, 1)
      const file = await write(token, amount)
      expect(chainOfFile(file)).toBe(chain)
      await expect(accept(chain, file), 'not signed').rejects.toThrow('not signed')
      const { isBroadcast } = await accept(chain, signSandbox(file))
      expect(isBroadcast).toBe(true)
      await expect(accept(chain, signSandbox(file)), 'twice').rejects.toThrow('accepted before')
      await expectAgreement(`${token}: sent`)
      await w.mine(chain, 1)
      await expectAgreement(`${token}: in a block`)
      await w.mine(chain, 12)
      await expectAgreement(`${token}: booked`)
      const after = await custodyOf(token)
      expect(after.hot - before.hot).toBe(amount)
      expect(-(await houseBalance(db(), 'cold', token))).toBe(after.cold)
      expect(await findStop(db(), chain, 'sending')).toBeUndefined()
      // What was signed offline is not in the signer's journal, and need not be.
      const { journal } = await signingOf(chain)
      const last = await requireWholeJournal(db(), journal)
      expect(last).toBeGreaterThan(0n)
      // Another one lacks what this one has signed, and is asked about what came since its last look, and a little before.
      const other = openJournal(undefined)
      await expect(requireWholeJournal(db(), other)).rejects.toThrow(JournalError)
      expect(await requireWholeJournal(db(), other, last + 1000n)).toBe(last + 1000n)
    }
  )

  it.each([
    [
      'pays somebody else',
      'neither the hot wallet nor cold storage',
      (t: { payments: { address: string }[] }) => {
        for (const one of t.payments) one.address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
      }
    ],
    [
      'has a further output',
      'neither the hot wallet nor cold storage',
      (t: { payments: object[] }) => {
        t.payments.push({ index: '9', address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', token: 'BTC', amount: '1' })
      }
    ],
    [
      'leaves the rest to the miners',
      'network fee',
      (t: { payments: unknown[] }) => {
        t.payments.splice(1)
      }
    ],
    [
      'pays more than it takes',
      'not above zero',
      (t: { payments: { amount: string }[] }) => {
        for (const one of t.payments) one.amount = String(BigInt(one.amount) * 100n)
      }
    ],
    [
      'spends coins of the hot wallet',
      'no free coin of cold storage',
      (t: { spends: string[] }) => {
        t.spends = [`${'0'.repeat(64)}:0`]
      }
    ]
  ] as const)('that %s is refused, and nothing is stored', async (_, says, change) => {
    const before = await sends('refill')
    const file = await write('BTC', units('BTC', 0.25))
    await expect(accept('bitcoin', signSandbox(file, change as never))).rejects.toThrow(says)
    expect(await sends('refill')).toEqual(before)
  })

  it('that was signed after its coins moved is refused', async () => {
    const [first, second] = [await write('BTC', units('BTC', 0.25)), await write('BTC', units('BTC', 0.3))]
    await accept('bitcoin', signSandbox(first))
    await expect(accept('bitcoin', signSandbox(second)), 'under way').rejects.toThrow('no free coin of cold storage')
    await w.mine('bitcoin', 12)
    await expect(accept('bitcoin', signSandbox(second)), 'spent').rejects.toThrow('no free coin of cold storage')
    const [one, other] = [await write('ETH', units('ETH', 0.25)), await write('ETH', units('ETH', 0.3))]
    await accept('ethereum', signSandbox(one))
    await expect(accept('ethereum', signSandbox(other))).rejects.toThrow('make a new one')
    await w.mine('ethereum', 12)
    await expectAgreement('afterwards')
  })

  it('that has expired is refused, and one that no block takes ends without a booking', async () => {
    const file = await write('CPC', units('CPC', 500))
    test.pass(2 * 3600)
    await w.mine('cpc', 1)
    await expect(accept('cpc', signSandbox(file))).rejects.toThrow('expired')
    const again = await write('CPC', units('CPC', 500))
    await w.fault('cpc', { failedBroadcasts: 1 })
    expect((await accept('cpc', signSandbox(again))).isBroadcast).toBe(false)
    test.pass(2 * 3600)
    await w.mine('cpc', 12)
    expect((await sends('refill')).at(-1)).toMatchObject({ currency: 'CPC', state: 'failed' })
    await expectAgreement('expired')
  })

  it('that its holder broadcast by themselves stops sending until it is accepted', async () => {
    const file = signSandbox(await write('ETH', units('ETH', 0.2)))
    const { bytes } = await (await refillingOf('ethereum')).format.read(file)
    await (await test.app.ports.chainNode('ethereum')).broadcast(bytes)
    await w.mine('ethereum', 1)
    expect((await findStop(db(), 'ethereum', 'sending'))?.why).toContain('none of ours')
    expect((await accept('ethereum', file)).isBroadcast).toBe(false)
    await resumeSending(test.app.context, 'ethereum', { actor: staff, why: 'It is our refill.' })
    await w.mine('ethereum', 12)
    await expectAgreement('accepted afterwards')
    expect((await sends('refill')).at(-1)).toMatchObject({ currency: 'ETH', state: 'confirmed' })
  })

  it('that its holder broadcast is booked also where it is accepted while its block is being read', async () => {
    const { context, chains } = test.app
    const node = await test.app.ports.chainNode('cpc')
    await w.mine('cpc', 1)
    const file = signSandbox(await write('CPC', units('CPC', 500)))
    await node.broadcast((await (await refillingOf('cpc')).format.read(file)).bytes)
    await sandboxMine(context, 'cpc', 1)
    let accepting: Promise<unknown> | undefined
    // Typed while the worker is within the transaction that stores this block.
    const listener: BlockListener = {
      added: async ({ tx }) => {
        accepting ??= accept('cpc', file)
        await untilWaiting(tx)
      },
      removed: async () => undefined,
      grown: async () => undefined
    }
    await followChain(context, node, { ...chains.following, blocks: [...chains.following.blocks, listener] })
    await accepting
    await resumeSending(context, 'cpc', { actor: staff, why: 'It is our refill.' })
    await w.mine('cpc', 12)
    expect((await sends('refill')).at(-1)).toMatchObject({ currency: 'CPC', state: 'confirmed' })
    await expectAgreement('accepted meanwhile')
  })

  it('whose rest goes to an earlier cold key, which somebody else may know, is refused', async () => {
    const old = bitcoinColdWallet(
      HDKey.fromMasterSeed(new Uint8Array(32).fill(9), { private: 0x04358394, public: 0x043587cf }).derive("m/84'/1'/0'")
        .publicExtendedKey,
      'regtest'
    )
    const { signer } = test.app.chains
    if (!signer) throw new Error('The test has the seed')
    await fillPool(test.app.context, { ...signer, coldWallets: async () => [old] }, 1)
    const file = await write('BTC', units('BTC', 0.25))
    const altered = signSandbox(file, (t: { payments: { address: string }[] }) => {
      for (const one of t.payments.slice(1)) one.address = old.addressAt('cold', 0).address
    })
    await expect(accept('bitcoin', altered)).rejects.toThrow('neither the hot wallet nor cold storage')
  })

  it('is not broadcast while sending is stopped', async () => {
    const file = await write('USDC', units('USDC', 100))
    await stopChain(test.app.context, 'ethereum', { actor: staff, why: 'Test' }, 'sending')
    expect((await accept('ethereum', signSandbox(file))).isBroadcast).toBe(false)
    await resumeSending(test.app.context, 'ethereum', { actor: staff, why: 'Test' })
    await w.send('ethereum')
    await w.mine('ethereum', 12)
    await expectAgreement('after the stop')
  })
})

it('a payment of somebody else to cold storage is ours, and lies in cold storage', async () => {
  const before = [await houseBalance(db(), 'cold', 'ETH'), await houseBalance(db(), 'chain', 'ETH')]
  const { address } = (await walletOf('ethereum')).addressAt('cold', 0)
  await w.pay('ethereum', { address, token: 'ETH', amount: units('ETH', 3) })
  await w.confirm('ethereum')
  expect([await houseBalance(db(), 'cold', 'ETH'), await houseBalance(db(), 'chain', 'ETH')]).toEqual([
    (before[0] ?? 0n) - units('ETH', 3),
    before[1]
  ])
  await expectAgreement('funded')
})

it('what the signer signed and the database lost is stored again, and not moved a second time', async () => {
  const hot = await houseAddress(db(), proof(), 'cpc', 'hot')
  await w.pay('cpc', { address: hot?.address ?? '', token: 'CPC', amount: units('CPC', 20_000_000) })
  await w.confirm('cpc')
  const signing = await signingOf('cpc')
  // The process dies after it has written the journal.
  const dying = {
    ...signing,
    journal: {
      ...signing.journal,
      write: (...all: Parameters<typeof signing.journal.write>) => {
        signing.journal.write(...all)
        throw new Error('killed')
      }
    }
  }
  const before = await sends('cold')
  await expect(moveToCold(test.app.context, test.app.chains.cold, dying)).rejects.toThrow('killed')
  expect(await sends('cold')).toEqual(before)
  for (const _ of ['again', 'and again']) await w.cool('cpc')
  expect(await sends('cold')).toHaveLength(before.length + 1)
  await w.mine('cpc', 12)
  await w.cool('cpc')
  expect(await sends('cold')).toHaveLength(before.length + 1)
  await expectAgreement('after the crash')
})
