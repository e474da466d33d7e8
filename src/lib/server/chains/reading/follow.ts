/**
 * Reads a chain block by block. Each block is read once, and its payments are looked up among our addresses by index, so that the cost
 * depends on the blocks and not on the number of customers.
 */
import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { CHAINS, type Chain } from '#lib/domain/chains/chains.ts'
import { type Actor, systemActor } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import type { JobKind } from '../../platform/jobs/kinds.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import { type Block, type ChainNode, checkedBlock } from '../port.ts'
import { chainBlocks, chainOutputs } from '../schema.ts'
import { endStop, findStop, openStops, stopChain } from '../stops.ts'
import { findOurs, type OurPayment } from './ours.ts'
import { type Confirmations, forgetSends, type SendListener, settleSends, watchAccounts, watchSends } from './watch.ts'

/** How many hashes are kept: a deeper reorganisation stops the chain. */
const KEPT_BLOCKS = 100
/** A run ends after this many blocks, so that catching up does not hold the job for hours. */
const BLOCKS_A_RUN = 500

export type NewBlock = { chain: Chain; height: number; hash: string; payments: OurPayment[] }
/** A feature's reaction to blocks. */
export type BlockListener = {
  /** Runs in the transaction that stores the block. */
  added: (work: Work, block: NewBlock) => Promise<void>
  /** The blocks from this height on are no longer part of the chain. Runs in the transaction that removes them. */
  removed: (work: Work, chain: Chain, fromHeight: number) => Promise<void>
  /** After a run: the chain has been read up to this height. */
  grown: (chain: Chain, height: number) => Promise<void>
}
/** The listeners for blocks, and for sends that the chain has settled. */
export type Following = { blocks: BlockListener[]; sends: SendListener[]; confirmations: Confirmations }

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

/** When the newest block of the chain was read; undefined if none was. */
export async function lastBlockAt(db: Executor, chain: Chain): Promise<Date | undefined> {
  const [newest] = await db
    .select({ readAt: chainBlocks.readAt })
    .from(chainBlocks)
    .where(eq(chainBlocks.chain, chain))
    .orderBy(desc(chainBlocks.height))
    .limit(1)
  return newest?.readAt ?? undefined
}

/** True if this block was read and is still part of the chain. A block deeper than those that are kept is: no reorganisation reaches it. */
export async function isBlockRead(db: Executor, chain: Chain, height: number, hash: string): Promise<boolean> {
  const [found] = await db
    .select({ hash: chainBlocks.hash })
    .from(chainBlocks)
    .where(and(eq(chainBlocks.chain, chain), eq(chainBlocks.height, height)))
  if (found) return found.hash === hash
  const newest = await newestBlock(db, chain)
  return newest !== undefined && height <= newest.height - KEPT_BLOCKS
}

/**
 * Reads new blocks. The first run starts at the node's newest block: nobody had a deposit address before that block. Does nothing for a
 * stopped chain. Throws a NodeError if the node fails; nothing is lost then.
 */
export async function followChain(context: Context, node: ChainNode, following: Following): Promise<void> {
  const { chain } = node
  if (await findStop(context.db, chain)) return
  for (let read = 0; read < BLOCKS_A_RUN; read += 1) {
    const isMore = await step(context, node, following)
    if (!isMore) break
  }
  // Stopped during this run: nothing is credited on a chain that an operator has to look at.
  if (await findStop(context.db, chain)) return
  const newest = await newestBlock(context.db, chain)
  if (!newest) return
  const { confirmations, sends: listeners } = following
  let failed: unknown
  const keepError = (error: unknown) => {
    failed ??= error
  }
  // A deposit that cannot be booked must not keep back the payments that are settled.
  for (const { grown } of following.blocks) await grown(chain, newest.height).catch(keepError)
  await settleSends(context, chain, { confirmations, listeners }).catch(keepError)
  if (failed) throw failed
}

/** Reads one block, or reverts the blocks that a reorganisation removed; false if there is nothing more to do. */
async function step(context: Context, node: ChainNode, following: Following): Promise<boolean> {
  const newest = await newestBlock(context.db, node.chain)
  const tip = await node.tip()
  if (!newest) {
    await addBlock(context, checkedBlock(await node.blockAt(tip.height), tip.height), node.chain, undefined, following)
    return false
  }
  if (tip.height < newest.height) {
    context.log.warn({ chain: node.chain, node: tip.height, read: newest.height }, 'the node of a chain is behind')
    return false
  }
  if (tip.height === newest.height) {
    if (tip.hash === newest.hash) return false
    return forgetRemoved(context, node, following)
  }
  const next = checkedBlock(await node.blockAt(newest.height + 1), newest.height + 1)
  if (next.parent !== newest.hash) return forgetRemoved(context, node, following)
  await addBlock(context, next, node.chain, newest, following)
  return true
}

/** Keeps other workers from reading the chain until the transaction ends. */
export async function lockReading({ tx }: Work, chain: Chain): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`chain:${chain}`}, 0))`)
}

/** Takes the lock of `lockReading`. False if another worker has read on in the meantime: this one must then drop what it read. */
async function isStillNewest(work: Work, chain: Chain, expected: Kept | undefined): Promise<boolean> {
  await lockReading(work, chain)
  const newest = await newestBlock(work.tx, chain)
  return newest?.hash === expected?.hash && newest?.height === expected?.height
}

/** The same, and nobody has stopped the chain. */
async function mayGoOn(work: Work, chain: Chain, expected: Kept | undefined): Promise<boolean> {
  return (await isStillNewest(work, chain, expected)) && !(await findStop(work.tx, chain))
}

async function addBlock(
  context: Context,
  block: Block,
  chain: Chain,
  parent: Kept | undefined,
  following: Following
): Promise<void> {
  await transact(context, async (work) => {
    if (await mayGoOn(work, chain, parent)) await keepBlock(context, work, block, chain, following)
  })
}

async function keepBlock(context: Context, work: Work, block: Block, chain: Chain, { blocks }: Following): Promise<void> {
  const { tx } = work
  await tx
    .insert(chainBlocks)
    .values({ chain, height: block.height, hash: block.hash, time: block.time ?? null, readAt: work.now })
  await tx.delete(chainBlocks).where(and(eq(chainBlocks.chain, chain), lt(chainBlocks.height, block.height - KEPT_BLOCKS + 1)))
  const { payments, sent } = await findOurs(tx, chain, block)
  await watchSends(context, work, chain, block, sent)
  await watchAccounts(work, chain, block.height, payments)
  for (const { added } of blocks) await added(work, { chain, height: block.height, hash: block.hash, payments })
}

/**
 * Finds the newest kept block that the node still has, and reverts all above it. If the node has none of the kept blocks, the chain is
 * stopped until an operator has looked.
 */
async function forgetRemoved(context: Context, node: ChainNode, following: Following): Promise<boolean> {
  const { chain } = node
  const kept = await keptBlocks(context.db, chain)
  const fork = await findFork(node, kept)
  if (!fork) {
    const why = `The chain was reorganised deeper than the ${kept.length} blocks that are kept.`
    await stopChain(context, chain, { actor: systemActor('chains'), why })
    return false
  }
  await transact(context, async (work) => {
    if (await mayGoOn(work, chain, kept[0])) await forgetBlocks(context, work, chain, fork.height + 1, following)
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

/** Removes the blocks from a height on; the listeners revert what they made of them. */
async function forgetBlocks(
  context: Context,
  work: Work,
  chain: Chain,
  fromHeight: number,
  { blocks }: Following
): Promise<void> {
  const { tx } = work
  await forgetSends(context, work, chain, fromHeight)
  for (const { removed } of blocks) await removed(work, chain, fromHeight)
  const ofChain = eq(chainOutputs.chain, chain)
  await tx.delete(chainOutputs).where(and(ofChain, gte(chainOutputs.height, fromHeight)))
  await tx
    .update(chainOutputs)
    .set({ spentHeight: null })
    .where(and(ofChain, gte(chainOutputs.spentHeight, fromHeight)))
  await tx.delete(chainBlocks).where(and(eq(chainBlocks.chain, chain), gte(chainBlocks.height, fromHeight)))
}

/**
 * Resumes a stopped chain. With `fromHeight`, the blocks from there on are reverted and read again; payments that are still in them are
 * booked again. `fromHeight` is needed after a reorganisation deeper than the kept blocks. `upTo`: the newest stop that was looked at; one that
 * came since keeps the chain stopped. Throws a RangeError.
 */
export async function resumeChain(
  context: Context,
  node: ChainNode,
  following: Following,
  { fromHeight, upTo, ...by }: { actor: Actor; why: string; fromHeight: number | undefined; upTo?: bigint }
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
    const stops = await openStops(work.tx, chain, 'reading', true)
    if (upTo !== undefined && stops.some(({ id }) => id > upTo))
      throw new RangeError(`${chain} was stopped once more since: look at the new reason first`)
    await endStop(work, chain, by)
    if (!first) return
    await forgetBlocks(context, work, chain, first.height, following)
    await keepBlock(context, work, first, chain, following)
  })
}

const EVERY_SECONDS: Record<Chain, number> = { bitcoin: 10, ethereum: 5, cpc: 5 }

/** One job per chain. `nodeOf` loads the adapter when the job first runs. */
export function followJobs(context: Context, nodeOf: (chain: Chain) => Promise<ChainNode>, following: Following): JobKind[] {
  return CHAINS.map((chain) => ({
    name: `follow_${chain}`,
    role: 'worker',
    everySeconds: EVERY_SECONDS[chain],
    run: async () => followChain(context, await nodeOf(chain), following)
  }))
}
