/** Simulated chains: their blocks are rows of the database, and are mined, filled and reorganised on the page `/sandbox`. */
import { createHash, randomUUID } from 'node:crypto'
import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm'
import { type Chain, NATIVE } from '#lib/domain/chains/chains.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { type Block, type ChainNode, type ChainPayment, NodeError, type Place, type Price } from '../port.ts'
import { type StoredTransaction, sandboxBlocks, sandboxFaults, sandboxMempool } from '../schema.ts'
import { CPC_FEE } from '../sending/fees.ts'
import type { PlanSigner } from '../sending/send.ts'

type Parts = Pick<Context, 'db' | 'clock'>
type SandboxParts = { db: Executor; clock: Context['clock'] }
type Row = typeof sandboxBlocks.$inferSelect
export type SandboxPayment = Pick<ChainPayment, 'address' | 'token' | 'amount'>

/** The network's usual price; `priceTimes` multiplies it. */
const PRICES: Record<Chain, Price> = {
  bitcoin: { most: 8n, tip: 0n },
  ethereum: { most: 20_000_000_000n, tip: 1_000_000_000n },
  cpc: { most: CPC_FEE, tip: 0n }
}
const GAS = { ETH: 21_000n, USDC: 65_000n }
const DEADLINE_SECONDS = 3600

const seconds = (at: Date) => BigInt(Math.floor(at.getTime() / 1000))
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const ofChain = (chain: Chain) => eq(sandboxBlocks.chain, chain)

async function newest(db: Executor, chain: Chain): Promise<Row | undefined> {
  const [row] = await db.select().from(sandboxBlocks).where(ofChain(chain)).orderBy(desc(sandboxBlocks.height)).limit(1)
  return row
}

/** Changes a chain in one transaction. Changes of a chain run one at a time, as in a node. */
function alone<T>({ db, clock }: SandboxParts, chain: Chain, act: (own: SandboxParts) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sandbox:${chain}`}, 0))`)
    return act({ db: tx, clock })
  })
}

async function addBlock({ db, clock }: SandboxParts, chain: Chain, transactions: StoredTransaction[]): Promise<Row> {
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

const firstBlock = (chain: Chain) => async (own: SandboxParts) =>
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
      countOf: async (address: string) => {
        const nonces = (await minedOf(db, chain)).flatMap(({ senders, nonce }) =>
          senders.includes(address) && nonce ? [BigInt(nonce)] : []
        )
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

/** Adds a transaction to the mempool and returns its id. */
export async function sandboxPay(
  { db }: Parts,
  chain: Chain,
  payments: SandboxPayment[],
  from: Partial<Pick<StoredTransaction, 'senders' | 'spends'>> = {}
): Promise<string> {
  const id = chain === 'ethereum' ? `0x${hashOf(randomUUID())}` : hashOf(randomUUID())
  const transaction = {
    id,
    senders: from.senders ?? [],
    spends: from.spends ?? [],
    payments: payments.map((payment, index) => ({ ...payment, index: String(index), amount: payment.amount.toString() }))
  }
  await db.insert(sandboxMempool).values({ chain, transaction })
  return id
}

/** Mines blocks; the first one takes the whole mempool, except for expired transactions. */
export async function sandboxMine(parts: Parts, chain: Chain, count = 1): Promise<void> {
  await alone(parts, chain, async (own) => {
    await firstBlock(chain)(own)
    const waiting = await own.db
      .delete(sandboxMempool)
      .where(eq(sandboxMempool.chain, chain))
      .returning({ id: sandboxMempool.id, transaction: sandboxMempool.transaction })
    const now = seconds(own.clock())
    const inOrder = waiting
      .toSorted((a, b) => Number(a.id - b.id))
      .map(({ transaction }) => transaction)
      .filter(({ expiresAt }) => expiresAt === undefined || BigInt(expiresAt) >= now)
    for (let mined = 0; mined < count; mined += 1) await addBlock(own, chain, mined === 0 ? inOrder : [])
  })
}

/**
 * Replaces the newest `depth` blocks by as many new ones and one more. Their transactions go into the first new block or, with
 * `isDropped`, back to the mempool.
 */
export async function sandboxReorganise(parts: Parts, chain: Chain, depth: number, isDropped = false): Promise<void> {
  await alone(parts, chain, async (own) => {
    const { db } = own
    const height = (await newest(db, chain))?.height ?? 0
    const gone = await db
      .delete(sandboxBlocks)
      .where(and(ofChain(chain), gt(sandboxBlocks.height, Math.max(0, height - depth))))
      .returning()
    const transactions = gone.toSorted((a, b) => a.height - b.height).flatMap((row) => row.transactions)
    for (let mined = 0; mined <= gone.length; mined += 1)
      await addBlock(own, chain, mined === 0 && !isDropped ? transactions : [])
    if (isDropped && transactions.length > 0)
      await db.insert(sandboxMempool).values(transactions.map((transaction) => ({ chain, transaction })))
  })
}

/** The number of transactions in the mempool. */
export async function sandboxWaiting({ db }: Parts, chain: Chain): Promise<number> {
  return (
    await db
      .select({ id: sandboxMempool.id })
      .from(sandboxMempool)
      .where(eq(sandboxMempool.chain, chain))
      .orderBy(asc(sandboxMempool.id))
  ).length
}
