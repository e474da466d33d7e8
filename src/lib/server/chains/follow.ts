/**
 * Reads a chain block by block. Each block is read once and its payments are looked up among our addresses by index, so that the
 * cost is that of the blocks, whatever the number of customers.
 */
import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { CHAINS, type Chain } from '#lib/domain/chains/chains.ts'
import { type Actor, systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { type Block, type ChainNode, type ChainPayment, type ChainTransaction, checkedBlock } from './port.ts'
import { chainAddresses, chainBlocks, chainOutputs } from './schema.ts'
import { endStop, findStop, stopChain } from './stops.ts'

/** How many hashes are kept: a deeper reorganisation stops the chain. */
/** A statement takes 65,535 parameters. */
export const ROWS_AT_ONCE = 1000
const KEPT_BLOCKS = 100
/** A run ends after this many blocks, so that a chain that catches up does not hold its job for hours. */
const BLOCKS_A_RUN = 500

type OurPayment = ChainPayment & {
  transactionId: string
  to: typeof chainAddresses.$inferSelect
  /** Paid by one of our own addresses: a sweep, a top-up or change. */
  isFromUs: boolean
}
type Unjudged = Omit<OurPayment, 'isFromUs'>
export type NewBlock = { chain: Chain; height: number; hash: string; payments: OurPayment[] }
/** What features do with blocks. */
export type BlockListener = {
  /** In the transaction that keeps the block. */
  added: (work: Work, block: NewBlock) => Promise<void>
  /** The blocks from this height on are no longer part of the chain. In the transaction that forgets them. */
  removed: (work: Work, chain: Chain, fromHeight: number) => Promise<void>
  /** After a run: the chain has been read up to this height. */
  grown: (chain: Chain, height: number) => Promise<void>
}

type Kept = { height: number; hash: string }

async function newestBlock(db: Executor, chain: Chain): Promise<Kept | undefined> {
  const [newest] = await db
    .select({ height: chainBlocks.height, hash: chainBlocks.hash })
    .from(chainBlocks)
    .where(eq(chainBlocks.chain, chain))
    .orderBy(desc(chainBlocks.height))
    .limit(1)
  return newest
}

/**
 * Reads what is new. The first time it starts at the node's newest block: what was paid before, nobody of ours had an address for.
 * A stopped chain is left alone. Throws a NodeError where the node does not answer sensibly; nothing is lost then.
 */
export async function followChain(context: Context, node: ChainNode, listeners: BlockListener[]): Promise<void> {
  const { chain } = node
  if (await findStop(context.db, chain)) return
  for (let read = 0; read < BLOCKS_A_RUN; read += 1) {
    const isMore = await step(context, node, listeners)
    if (!isMore) break
  }
  // Stopped meanwhile: nothing is credited on a chain that somebody has to look at.
  if (await findStop(context.db, chain)) return
  const newest = await newestBlock(context.db, chain)
  if (newest) for (const { grown } of listeners) await grown(chain, newest.height)
}

/** Reads one block, or takes back what a reorganisation removed; false where there is nothing more to do. */
async function step(context: Context, node: ChainNode, listeners: BlockListener[]): Promise<boolean> {
  const newest = await newestBlock(context.db, node.chain)
  const tip = await node.tip()
  if (!newest) {
    await addBlock(context, checkedBlock(await node.blockAt(tip.height), tip.height), node.chain, undefined, listeners)
    return false
  }
  if (tip.height < newest.height) {
    context.log.warn({ chain: node.chain, node: tip.height, read: newest.height }, 'the node of a chain is behind')
    return false
  }
  if (tip.height === newest.height) {
    if (tip.hash === newest.hash) return false
    return forgetRemoved(context, node, listeners)
  }
  const next = checkedBlock(await node.blockAt(newest.height + 1), newest.height + 1)
  if (next.parent !== newest.hash) return forgetRemoved(context, node, listeners)
  await addBlock(context, next, node.chain, newest, listeners)
  return true
}

/** Two workers at one chain take turns until the transaction ends; the one that read an older state drops what it read. */
async function isStillNewest({ tx }: Work, chain: Chain, expected: Kept | undefined): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`chain:${chain}`}, 0))`)
  const newest = await newestBlock(tx, chain)
  return newest?.hash === expected?.hash && newest?.height === expected?.height
}

/** The same, for a chain that nobody has stopped meanwhile. */
async function mayGoOn(work: Work, chain: Chain, expected: Kept | undefined): Promise<boolean> {
  return (await isStillNewest(work, chain, expected)) && !(await findStop(work.tx, chain))
}

async function addBlock(
  context: Context,
  block: Block,
  chain: Chain,
  parent: Kept | undefined,
  listeners: BlockListener[]
): Promise<void> {
  await transact(context, async (work) => {
    if (await mayGoOn(work, chain, parent)) await keepBlock(work, block, chain, listeners)
  })
}

async function keepBlock(work: Work, block: Block, chain: Chain, listeners: BlockListener[]): Promise<void> {
  const { tx } = work
  await tx.insert(chainBlocks).values({ chain, height: block.height, hash: block.hash })
  await tx.delete(chainBlocks).where(and(eq(chainBlocks.chain, chain), lt(chainBlocks.height, block.height - KEPT_BLOCKS + 1)))
  const payments = await paymentsToUs(tx, chain, block)
  for (const { added } of listeners) await added(work, { chain, height: block.height, hash: block.hash, payments })
}

/** The payments to our addresses; Bitcoin's outputs are kept, so that what spends them later is known as ours. */
async function paymentsToUs(tx: Executor, chain: Chain, { height, transactions }: Block): Promise<OurPayment[]> {
  const receivers = transactions.flatMap(({ payments }) => payments.map(({ address }) => address))
  const ours = new Map((await addressesAmong(tx, chain, receivers)).map((row) => [row.address, row]))
  const paying = transactions.flatMap((transaction) => {
    const payments = transaction.payments.flatMap((payment) => {
      const to = ours.get(payment.address)
      return to ? [{ ...payment, transactionId: transaction.id, to }] : []
    })
    return payments.length > 0 ? [{ transaction, payments }] : []
  })
  if (chain === 'bitcoin') {
    const spends = transactions.flatMap((one) => one.spends)
    await keepOutputs(
      tx,
      { chain, height, spends },
      paying.flatMap(({ payments }) => payments)
    )
  }
  const senders = await ourSenders(
    tx,
    chain,
    paying.map(({ transaction }) => transaction)
  )
  return paying.flatMap(({ transaction, payments }) => {
    const isFromUs = [...transaction.senders, ...transaction.spends].some((sender) => senders.has(sender))
    return payments.map((payment) => ({ ...payment, isFromUs }))
  })
}

/** Texts as the rows of a query: lists of any length, planned as one lookup by index. */
const amongTexts = (list: string[]) => sql`any(array(select jsonb_array_elements_text(${JSON.stringify(list)}::jsonb)))`

async function addressesAmong(tx: Executor, chain: Chain, list: string[]) {
  if (list.length === 0) return []
  const isAmong = sql`${chainAddresses.address} = ${amongTexts([...new Set(list)])}`
  return tx
    .select()
    .from(chainAddresses)
    .where(and(eq(chainAddresses.chain, chain), isAmong))
}

const isOutput = (chain: Chain, outpoints: string[]) =>
  and(eq(chainOutputs.chain, chain), sql`${chainOutputs.outpoint} = ${amongTexts(outpoints)}`)

/** The senders that are addresses of ours, and the spent outputs that were. */
async function ourSenders(tx: Executor, chain: Chain, paying: ChainTransaction[]): Promise<Set<string>> {
  const senders = await addressesAmong(
    tx,
    chain,
    paying.flatMap((one) => one.senders)
  )
  const outpoints = paying.flatMap(({ spends }) => spends)
  const spent =
    outpoints.length === 0
      ? []
      : await tx.select({ outpoint: chainOutputs.outpoint }).from(chainOutputs).where(isOutput(chain, outpoints))
  return new Set([...senders.map(({ address }) => address), ...spent.map(({ outpoint }) => outpoint)])
}

type Spending = { chain: Chain; height: number; spends: string[] }

async function keepOutputs(tx: Executor, { chain, height, spends }: Spending, payments: Unjudged[]): Promise<void> {
  for (let from = 0; from < payments.length; from += ROWS_AT_ONCE) {
    await tx.insert(chainOutputs).values(
      payments.slice(from, from + ROWS_AT_ONCE).map(({ transactionId, index, to, amount }) => ({
        chain,
        outpoint: `${transactionId}:${index}`,
        addressId: to.id,
        amount,
        height
      }))
    )
  }
  if (spends.length > 0) await tx.update(chainOutputs).set({ spentHeight: height }).where(isOutput(chain, spends))
}

/**
 * Finds the newest block that the node still has, and takes back all above it. Without one among the kept blocks the chain is
 * stopped: what happened is for somebody to look at.
 */
async function forgetRemoved(context: Context, node: ChainNode, listeners: BlockListener[]): Promise<boolean> {
  const { chain } = node
  const kept = await keptBlocks(context.db, chain)
  const fork = await findFork(node, kept)
  if (!fork) {
    const why = `The chain was reorganised deeper than the ${kept.length} blocks that are kept.`
    await stopChain(context, chain, { actor: systemActor('chains'), why })
    return false
  }
  await transact(context, async (work) => {
    if (await mayGoOn(work, chain, kept[0])) await forgetBlocks(work, chain, fork.height + 1, listeners)
  })
  context.log.warn({ chain, from: fork.height + 1, to: kept[0]?.height }, 'a chain was reorganised')
  return true
}

/** Newest first. */
function keptBlocks(db: Executor, chain: Chain): Promise<Kept[]> {
  return db
    .select({ height: chainBlocks.height, hash: chainBlocks.hash })
    .from(chainBlocks)
    .where(eq(chainBlocks.chain, chain))
    .orderBy(desc(chainBlocks.height))
}

async function findFork(node: ChainNode, kept: Kept[]): Promise<Kept | undefined> {
  for (const block of kept) if ((await node.hashAt(block.height)) === block.hash) return block
  return undefined
}

/** Forgets the blocks from a height on, with what listeners made of them. */
async function forgetBlocks(work: Work, chain: Chain, fromHeight: number, listeners: BlockListener[]): Promise<void> {
  const { tx } = work
  for (const { removed } of listeners) await removed(work, chain, fromHeight)
  const ofChain = eq(chainOutputs.chain, chain)
  await tx.delete(chainOutputs).where(and(ofChain, gte(chainOutputs.height, fromHeight)))
  await tx
    .update(chainOutputs)
    .set({ spentHeight: null })
    .where(and(ofChain, gte(chainOutputs.spentHeight, fromHeight)))
  await tx.delete(chainBlocks).where(and(eq(chainBlocks.chain, chain), gte(chainBlocks.height, fromHeight)))
}

/**
 * Lets a stopped chain go on. With a height, everything from there on is taken back and read again: what was booked in those blocks
 * is booked anew where it is still there. After a reorganisation deeper than what is kept, a height must be given.
 */
export async function resumeChain(
  context: Context,
  node: ChainNode,
  listeners: BlockListener[],
  { fromHeight, ...by }: { actor: Actor; why: string; fromHeight: number | undefined }
): Promise<void> {
  const { chain } = node
  const newest = await newestBlock(context.db, chain)
  if (fromHeight !== undefined && (!newest || fromHeight > newest.height + 1))
    throw new RangeError(`Block ${fromHeight} is beyond what was read: everything up to it would be left out`)
  const first = fromHeight === undefined ? undefined : checkedBlock(await node.blockAt(fromHeight), fromHeight)
  const before = first && (await keptBlocks(context.db, chain)).find(({ height }) => height === first.height - 1)
  if (before && before.hash !== first.parent)
    throw new RangeError(`Block ${fromHeight} does not continue what was read: give a lower one`)
  await transact(context, async (work) => {
    if (!(await isStillNewest(work, chain, newest))) throw new RangeError('The chain is being read: stop it first')
    await endStop(work, chain, by)
    if (!first) return
    await forgetBlocks(work, chain, first.height, listeners)
    await keepBlock(work, first, chain, listeners)
  })
}

const EVERY_SECONDS: Record<Chain, number> = { bitcoin: 20, ethereum: 5, cpc: 10 }

/** One job a chain. `nodeOf` loads the adapter when the job first runs. */
export function followJobs(
  context: Context,
  nodeOf: (chain: Chain) => Promise<ChainNode>,
  listeners: BlockListener[]
): JobKind[] {
  return CHAINS.map((chain) => ({
    name: `follow_${chain}`,
    role: 'worker',
    everySeconds: EVERY_SECONDS[chain],
    run: async () => followChain(context, await nodeOf(chain), listeners)
  }))
}
