/** Simulated chains: their blocks are rows of the database, and are mined, filled and reorganised on the page `/sandbox`. */
import { createHash, randomUUID } from 'node:crypto'
import { and, asc, desc, eq, lte, sql } from 'drizzle-orm'
import { type Chain, NATIVE } from '#lib/domain/chains/chains.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { type Block, type ChainNode, NodeError, type Place, type Price } from '../port.ts'
import { type StoredTransaction, sandboxBlocks, sandboxFaults, sandboxMempool } from '../schema.ts'
import { CPC_FEE } from '../sending/fees.ts'
import type { PlanSigner } from '../sending/signing.ts'

export type Parts = Pick<Context, 'db' | 'clock'>
type SandboxParts = { db: Executor; clock: Context['clock'] }
type Row = typeof sandboxBlocks.$inferSelect

/** The network's usual price; `priceTimes` multiplies it. */
const PRICES: Record<Chain, Price> = {
  bitcoin: { most: 8n, tip: 0n },
  ethereum: { most: 20_000_000_000n, tip: 1_000_000_000n },
  cpc: { most: CPC_FEE, tip: 0n }
}
const GAS = { ETH: 21_000n, USDC: 65_000n }
const DEADLINE_SECONDS = 3600

export const seconds = (at: Date) => BigInt(Math.floor(at.getTime() / 1000))
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
export const ofChain = (chain: Chain) => eq(sandboxBlocks.chain, chain)

export async function newest(db: Executor, chain: Chain): Promise<Row | undefined> {
  const [row] = await db.select().from(sandboxBlocks).where(ofChain(chain)).orderBy(desc(sandboxBlocks.height)).limit(1)
  return row
}

/** Changes a chain in one transaction. Changes of a chain run one at a time, as in a node. */
export function alone<T>({ db, clock }: SandboxParts, chain: Chain, act: (own: SandboxParts) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sandbox:${chain}`}, 0))`)
    return act({ db: tx, clock })
  })
}

export async function addBlock({ db, clock }: SandboxParts, chain: Chain, transactions: StoredTransaction[]): Promise<Row> {
  const parent = await newest(db, chain)
  const [row] = await db
    .insert(sandboxBlocks)
    .values({
      chain,
      height: (parent?.height ?? -1) + 1,
      hash: hashOf(randomUUID()),
      parent: parent?.hash ?? '',
      transactions,
      minedAt: clock()
    })
    .returning()
  if (!row) throw new Error('The database returned no block')
  return row
}

export const firstBlock = (chain: Chain) => async (own: SandboxParts) =>
  (await newest(own.db, chain)) ?? (await addBlock(own, chain, []))

export function sandboxChain(parts: Parts, chain: Chain): ChainNode {
  const { db } = parts
  async function rowAt(height: number): Promise<Row> {
    const [row] = await db
      .select()
      .from(sandboxBlocks)
      .where(and(ofChain(chain), eq(sandboxBlocks.height, height)))
    if (!row) throw new NodeError(`The sandbox has no block ${height}`)
    return row
  }
  return {
    chain,
    tip: async () => {
      const { height, hash } = (await newest(db, chain)) ?? (await alone(parts, chain, firstBlock(chain)))
      return { height, hash }
    },
    hashAt: async (height) => (await rowAt(height)).hash,
    blockAt: async (height) => present(await rowAt(height)),
    price: async () => {
      const times = BigInt((await faultsOf(db, chain)).priceTimes)
      return { most: PRICES[chain].most * times, tip: PRICES[chain].tip * times }
    },
    sizeOf: async (_, { token }) => (token === 'ETH' || token === 'USDC' ? GAS[token] : 1n),
    holds: async (place, height) => balanceOf(await minedOf(db, chain, height), place, chain),
    findUnknown: async ({ address, nextNonce, outpoints, onTheWay }) => {
      const waiting = await waitingOf(db, chain)
      const all = [...(await minedOf(db, chain)), ...waiting]
      const spent = outpoints.find((outpoint) => all.some(({ spends }) => spends.includes(outpoint)))
      if (spent) return `The node says that our coin ${spent} is spent.`
      const unknown = all.find(
        ({ senders, nonce }) => senders.includes(address) && nonce !== undefined && BigInt(nonce) >= nextNonce
      )
      const stranger = chain === 'cpc' && waiting.find(({ id, senders }) => senders.includes(address) && !onTheWay.includes(id))
      const found = unknown || stranger
      return found ? `The node has a payment of ${address} that is none of ours: ${found.id}.` : undefined
    },
    ...(chain === 'ethereum' && {
      countOf: async (address: string, isPool = false) => {
        const known = [...(await minedOf(db, chain)), ...(isPool ? await waitingOf(db, chain) : [])]
        const nonces = known.flatMap(({ senders, nonce }) => (senders.includes(address) && nonce ? [BigInt(nonce)] : []))
        return nonces.reduce((next, nonce) => (nonce >= next ? nonce + 1n : next), 0n)
      }
    }),
    ...(chain === 'cpc' && {
      knows: async (id: string) => [...(await minedOf(db, chain)), ...(await waitingOf(db, chain))].some((one) => one.id === id)
    }),
    broadcast: async (bytes) => {
      const refusal = await alone(parts, chain, (own) => takeBroadcast(own, chain, JSON.parse(bytes)))
      if (refusal) throw new NodeError(refusal)
    }
  }
}

async function faultsOf(db: Executor, chain: Chain) {
  const [faults] = await db.select().from(sandboxFaults).where(eq(sandboxFaults.chain, chain))
  return faults ?? { priceTimes: 1, failedBroadcasts: 0 }
}

/** The factor by which the network's price is raised; usually 1. */
export async function priceTimesOf({ db }: Parts, chain: Chain): Promise<number> {
  return (await faultsOf(db, chain)).priceTimes
}

/** Multiplies the network's price, or makes the next broadcasts fail. */
export async function sandboxFault(
  { db }: SandboxParts,
  chain: Chain,
  faults: { priceTimes?: number; failedBroadcasts?: number }
): Promise<void> {
  await db
    .insert(sandboxFaults)
    .values({ chain, ...faults })
    .onConflictDoUpdate({ target: sandboxFaults.chain, set: faults })
}

async function minedOf(db: Executor, chain: Chain, height = Number.MAX_SAFE_INTEGER): Promise<StoredTransaction[]> {
  const rows = await db
    .select({ transactions: sandboxBlocks.transactions })
    .from(sandboxBlocks)
    .where(
      and(
        ofChain(chain),
        lte(sandboxBlocks.height, Math.min(height, 2 ** 31 - 1)),
        sql`jsonb_array_length(${sandboxBlocks.transactions}) > 0`
      )
    )
    .orderBy(asc(sandboxBlocks.height))
  return rows.flatMap(({ transactions }) => transactions)
}

async function waitingOf(db: Executor, chain: Chain): Promise<StoredTransaction[]> {
  const rows = await db.select().from(sandboxMempool).where(eq(sandboxMempool.chain, chain)).orderBy(asc(sandboxMempool.id))
  return rows.map(({ transaction }) => transaction)
}

const sumOf = (payments: StoredTransaction['payments']) => payments.reduce((sum, { amount }) => sum + BigInt(amount), 0n)

function balanceOf(transactions: StoredTransaction[], place: Place, chain: Chain): bigint {
  if ('outpoint' in place) {
    if (transactions.some(({ spends }) => spends.includes(place.outpoint))) return 0n
    const [id, index] = place.outpoint.split(':')
    const made = transactions.find((one) => one.id === id)?.payments.find((one) => one.index === index)
    return made?.address === place.address ? BigInt(made.amount) : 0n
  }
  const { address, token } = place
  return transactions.reduce((sum, { senders, payments, fee = '0' }) => {
    const received = sumOf(payments.filter((one) => one.address === address && one.token === token))
    if (!senders.includes(address)) return sum + received
    return sum + received - sumOf(payments.filter((one) => one.token === token)) - (token === NATIVE[chain] ? BigInt(fee) : 0n)
  }, 0n)
}

const isRival = (one: StoredTransaction, other: StoredTransaction) =>
  one.spends.some((outpoint) => other.spends.includes(outpoint)) ||
  (one.nonce !== undefined && one.nonce === other.nonce && one.senders[0] === other.senders[0])

/**
 * Adds a transaction to the mempool; a known one is accepted again. Returns the reason of a refusal: a simulated fault, its coins or
 * nonce are used in a block, it has expired, or it pays too little to replace a waiting one.
 */
async function takeBroadcast(parts: SandboxParts, chain: Chain, transaction: StoredTransaction): Promise<string | undefined> {
  const { db, clock } = parts
  const { failedBroadcasts } = await faultsOf(db, chain)
  if (failedBroadcasts > 0) {
    await sandboxFault(parts, chain, { failedBroadcasts: failedBroadcasts - 1 })
    return 'The node did not answer'
  }
  const [mined, waiting] = [await minedOf(db, chain), await waitingOf(db, chain)]
  if ([...mined, ...waiting].some(({ id }) => id === transaction.id)) return undefined
  if (mined.some((one) => isRival(one, transaction))) return 'Its place is taken by another transaction'
  if (transaction.expiresAt !== undefined && BigInt(transaction.expiresAt) < seconds(clock())) return 'It has expired'
  const rival = waiting.find((one) => isRival(one, transaction))
  if (rival && BigInt(rival.fee ?? 0) >= BigInt(transaction.fee ?? 0)) return 'It pays too little to replace another'
  if (rival) await db.delete(sandboxMempool).where(sql`${sandboxMempool.transaction}->>'id' = ${rival.id}`)
  await db.insert(sandboxMempool).values({ chain, transaction })
  return undefined
}

/** The sandbox's chains accept every transaction, so nothing is signed. */
export function sandboxSigner(chain: Chain, clock: () => Date): PlanSigner {
  return async ({ payout, from, nonce, coins, change, networkFee }) => {
    const outputs = [
      { address: payout.to, token: payout.token, amount: payout.amount },
      ...(change ? [{ address: change.address, amount: change.amount, token: payout.token }] : [])
    ]
    const expiresAt = chain === 'cpc' ? seconds(clock()) + BigInt(DEADLINE_SECONDS) : undefined
    const facts = {
      senders: from ? [from.address] : [],
      spends: coins.map(({ outpoint }) => outpoint),
      payments: outputs.map((one, index) => ({ ...one, index: String(index), amount: one.amount.toString() })),
      fee: networkFee.toString(),
      ...(nonce !== undefined && { nonce: nonce.toString() }),
      ...(expiresAt !== undefined && { expiresAt: expiresAt.toString(), unique: randomUUID() })
    }
    const hash = hashOf(JSON.stringify(facts))
    const transactionId = chain === 'ethereum' ? `0x${hash}` : hash
    const bytes = JSON.stringify({ id: transactionId, ...facts })
    return { transactionId, bytes, ...(expiresAt !== undefined && { expiresAt }) }
  }
}

function present({ height, hash, parent, transactions, minedAt }: Row): Block {
  return {
    height,
    hash,
    parent,
    time: seconds(minedAt),
    transactions: transactions.map(({ nonce, fee, ...one }) => ({
      ...one,
      nonce: nonce === undefined ? undefined : BigInt(nonce),
      fee: fee === undefined ? undefined : BigInt(fee),
      payments: one.payments.map((payment) => ({ ...payment, amount: BigInt(payment.amount) }))
    }))
  }
}
