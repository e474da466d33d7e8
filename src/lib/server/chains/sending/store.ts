/** Stores what the signer has signed: at once, or later from the signer's own file if the database has lost it. */
import { createHash, randomUUID } from 'node:crypto'
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, ne, or, type SQLWrapper, sql } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import { type Actor, actorText } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { requireLease } from '../../platform/jobs/take.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import { lockReading } from '../reading/follow.ts'
import { addressesAmong, amongTexts } from '../reading/ours.ts'
import { CHAINS_ACTOR } from '../reading/watch.ts'
import {
  chainAccounts,
  chainAddresses,
  chainAttemptCoins,
  chainAttempts,
  chainSends,
  chainStrays,
  type SendPurpose
} from '../schema.ts'
import { stopWithin } from '../stops.ts'
import { type Entry, type Journal, JournalError } from './journal.ts'

/**
 * The transaction id of a send's newest attempt, as a column of another query; null if it has none. Not by order and limit: PostgreSQL might then
 * look for it among the attempts of all sends, from the newest one.
 */
export const newestTransactionSql = (sendId: SQLWrapper) => sql<string | null>`(
  select (array_agg(a.transaction_id order by a.id desc))[1] from chain_attempts a where a.send_id = ${sendId})`

/** One payment of a chain is signed at a time, and only by the signer whose turn it still is. Throws LeaseLostError. */
export async function lockSending({ tx }: Work, chain: Chain): Promise<void> {
  await requireLease(tx)
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`send:${chain}`}, 0))`)
}

/** The ids of the paying addresses of journal entries, by address. An address that is unknown here is missing. */
async function idsOf({ tx }: Work, entries: Entry[]): Promise<Map<string, bigint>> {
  const [first] = entries
  if (!first) return new Map()
  const named = entries.flatMap(({ from }) => (from === null ? [] : [from]))
  return new Map((await addressesAmong(tx, first.chain, named)).map(({ address, id }) => [address, id]))
}

/** Stores payments of one chain. */
export async function insertSends(work: Work, entries: Entry[], purpose?: SendPurpose): Promise<void> {
  if (entries.length === 0) return
  const ids = await idsOf(work, entries)
  await work.tx.insert(chainSends).values(
    entries.map(({ sendId: id, chain, token: currency, receiver, amount, mostFee, customer, at: signedAt, from, ...entry }) => ({
      id,
      chain,
      purpose: purpose ?? entry.purpose,
      fromId: ids.get(from ?? '') ?? null,
      currency,
      receiver,
      amount,
      mostFee,
      state: 'signed' as const,
      signedAt,
      customer
    }))
  )
}

/** Stores signed attempts of one chain. */
export async function insertAttempts(work: Work, entries: Entry[]): Promise<void> {
  const [first] = entries
  if (!first) return
  const { tx } = work
  // One may have been read in a block, as a stray, before it is stored here.
  const strays = await tx
    .delete(chainStrays)
    .where(
      and(
        eq(chainStrays.chain, first.chain),
        inArray(
          chainStrays.transactionId,
          entries.map(({ transactionId }) => transactionId)
        )
      )
    )
    .returning()
  const seen = new Map(strays.map((stray) => [stray.transactionId, stray]))
  const made = await tx
    .insert(chainAttempts)
    .values(
      entries.map(({ sendId, chain, transactionId, bytes, nonce, price, tip, networkFee, expiresAt, at: signedAt }) => {
        const { height = null, blockHash = null, isUndone = false, paidFee = null } = seen.get(transactionId) ?? {}
        const inBlock = { height, blockHash, isUndone, paidFee }
        return { sendId, chain, transactionId, bytes, nonce, price, tip, networkFee, expiresAt, signedAt, ...inBlock }
      })
    )
    .returning({ id: chainAttempts.id, transactionId: chainAttempts.transactionId })
  const idOf = new Map(made.map(({ id, transactionId }) => [transactionId, id]))
  const coins = entries.flatMap(({ transactionId, outpoints }) =>
    outpoints.map((outpoint) => ({ attemptId: idOf.get(transactionId) ?? 0n, outpoint }))
  )
  if (coins.length > 0) await tx.insert(chainAttemptCoins).values(coins)
  await raiseNonces(work, entries)
}

/** The next nonce of each paying account is behind those of the entries. */
async function raiseNonces(work: Work, entries: Entry[]): Promise<void> {
  const ids = await idsOf(work, entries)
  const next = new Map<bigint, bigint>()
  for (const { from, nonce } of entries) {
    const id = ids.get(from ?? '')
    if (nonce !== null && id !== undefined) next.set(id, nonce >= (next.get(id) ?? 0n) ? nonce + 1n : (next.get(id) ?? 0n))
  }
  if (next.size === 0) return
  await work.tx
    .insert(chainAccounts)
    .values([...next].map(([addressId, nextNonce]) => ({ addressId, nextNonce })))
    .onConflictDoUpdate({
      target: chainAccounts.addressId,
      set: { nextNonce: sql`greatest(${chainAccounts.nextNonce}, excluded.next_nonce)` }
    })
}

/**
 * Throws JournalError if the database knows payments that the journal does not: the file is another one, an old copy, or empty. Signing
 * would then count the limits from zero, and could pay again what was paid. `after`: the last attempt of an earlier look; returns that of this
 * one.
 */
export async function requireWholeJournal(db: Executor, journal: Journal, after = 0n): Promise<bigint> {
  const attempts = await db
    .select({ id: chainAttempts.id, transactionId: chainAttempts.transactionId, signedAt: chainAttempts.signedAt })
    .from(chainAttempts)
    .innerJoin(chainSends, eq(chainSends.id, chainAttempts.sendId))
    // Signed offline, not by the signer.
    .where(and(ne(chainSends.purpose, 'refill'), gt(chainAttempts.id, after - OVERLAP)))
  const missing = journal.missing(attempts)
  if (missing.length === 0) return attempts.reduce((last, { id }) => (id > last ? id : last), after)
  const shown = missing.slice(0, MOST_SHOWN).join(', ')
  throw new JournalError(
    `The signer's journal lacks ${missing.length} payments that the database knows: ${shown}${missing.length > MOST_SHOWN ? ', …' : ''}. ` +
      'Give the signer its own file (SIGNER_JOURNAL). Only if that is lost for good: npm run journal -- accept --as FILE --why "REASON"'
  )
}
const MOST_SHOWN = 3
/** Rows get their ids before they are committed: some with a lower one may come later. */
const OVERLAP = 1000n

const KEPT_MS = 30 * 24 * 3_600_000

/**
 * Stores what the signer has signed and the database lacks: the process died before the commit, or an older copy of the database was
 * restored. `claim` marks the withdrawal as signed, in whatever state it is; if it is over or does not exist, sending stops, and the
 * payment is kept as `lost` for an operator.
 */
export async function recoverSends(
  context: Context,
  journal: Journal,
  chain: Chain,
  claim: (work: Work, entry: Entry) => Promise<boolean>
): Promise<void> {
  const from = new Date(context.clock().getTime() - KEPT_MS)
  const late = await unstoredNonces(context, journal, chain)
  const entries = [...late.filter(({ at }) => at < from), ...journal.since(chain, from)]
  if (entries.length === 0) return
  const known = await context.db
    .select({ transactionId: chainAttempts.transactionId })
    .from(chainAttempts)
    .where(and(eq(chainAttempts.chain, chain), gte(chainAttempts.signedAt, from)))
  const stored = new Set(known.map(({ transactionId }) => transactionId))
  for (const entry of entries) {
    if (!stored.has(entry.transactionId)) await transact(context, (work) => recover(context, work, { journal, entry, claim }))
  }
}

const NONCES_EVERY_MS = 3_600_000
/** By journal: when the nonces of all accounts of a chain were last compared, and none was missing. */
const compared = new WeakMap<Journal, Map<Chain, number>>()

/**
 * What was signed for accounts with nonces that the database has not come to: nothing can be signed for them before it is stored. Compared at
 * the first run, every hour, and until nothing is missing: it asks for each account that has ever paid, and what was signed lately is found by
 * its time anyway.
 */
async function unstoredNonces({ db, clock }: Context, journal: Journal, chain: Chain): Promise<Entry[]> {
  const times = compared.get(journal) ?? new Map<Chain, number>()
  const now = clock().getTime()
  if (now - (times.get(chain) ?? 0) < NONCES_EVERY_MS) return []
  const last = journal.lastNonces(chain)
  const accounts = await db
    .select({ address: chainAddresses.address, next: chainAccounts.nextNonce })
    .from(chainAddresses)
    .leftJoin(chainAccounts, eq(chainAccounts.addressId, chainAddresses.id))
    .where(and(eq(chainAddresses.chain, chain), sql`${chainAddresses.address} = ${amongTexts([...last.keys()])}`))
  const missing = accounts.flatMap(({ address, next }) =>
    (last.get(address) ?? -1n) >= (next ?? 0n) ? journal.fromNonce(chain, address, next ?? 0n) : []
  )
  if (missing.length === 0) compared.set(journal, times.set(chain, now))
  return missing
}

/** Of these payments of the journal, those that the database does not have. */
export async function unstoredOf(db: Executor, signed: Entry[]): Promise<Entry[]> {
  if (signed.length === 0) return []
  const ids = signed.map(({ transactionId }) => transactionId)
  const known = await db
    .select({ transactionId: chainAttempts.transactionId })
    .from(chainAttempts)
    .where(sql`${chainAttempts.transactionId} = ${amongTexts(ids)}`)
  const stored = new Set(known.map(({ transactionId }) => transactionId))
  return signed.filter(({ transactionId }) => !stored.has(transactionId))
}

/** Payments that a row of the database has ordered. Without that row nobody knows what they were for. */
const CLAIMED: SendPurpose[] = ['withdrawal', 'return']

type Recovering = { journal: Journal; entry: Entry; claim: (work: Work, entry: Entry) => Promise<boolean> }

async function recover(context: Context, work: Work, { journal, entry, claim }: Recovering): Promise<void> {
  const { tx, now } = work
  const { chain, sendId, transactionId } = entry
  // Blocks must not be read now: a block would not find the attempt, and is not read twice.
  await lockReading(work, chain)
  await lockSending(work, chain)
  const [known] = await tx.select().from(chainAttempts).where(eq(chainAttempts.transactionId, transactionId))
  if (known) return
  const attempts = await tx.select().from(chainAttempts).where(eq(chainAttempts.sendId, sendId)).orderBy(asc(chainAttempts.id))
  const [send] = await tx.select().from(chainSends).where(eq(chainSends.id, sendId))
  const before = journal.of(sendId).slice(0, entry.attempt)
  // False if another signer has signed this send too: its bytes do not conflict with these.
  const isContinued = send !== undefined && before.every((one, at) => one.transactionId === attempts[at]?.transactionId)
  const isOurs = send
    ? isContinued && attempts.length === before.length
    : !CLAIMED.includes(entry.purpose) || (await claim(work, entry))
  if (!send && isOurs) await insertSends(work, [entry])
  if (!isOurs) {
    const why = `The signer has signed ${sendId}, which the database does not have, has given back or has paid otherwise: ${transactionId}.`
    await stopWithin({ db: tx, log: context.log, now }, chain, 'sending', { actor: CHAINS_ACTOR, why })
  }
  const kept = isOurs ? entry : { ...entry, sendId: send ? randomUUID() : sendId }
  if (!isOurs) await insertSends(work, [kept], 'lost')
  await insertAttempts(work, [kept])
  await findRival(work, entry)
  context.log.warn({ chain, send: sendId, transactionId }, 'a signed payment was stored again')
}

/** Notes the conflict if a block already has another transaction with its nonce or one of its coins: that block is not read again. */
async function findRival(work: Work, entry: Entry): Promise<void> {
  const { tx } = work
  const { chain, from, nonce, outpoints, transactionId } = entry
  const fromId = (await idsOf(work, [entry])).get(from ?? '') ?? null
  const sameNonce = nonce !== null && fromId !== null && and(eq(chainSends.fromId, fromId), eq(chainAttempts.nonce, nonce))
  const sameCoin =
    outpoints.length > 0 &&
    inArray(
      chainAttempts.id,
      tx.select({ id: chainAttemptCoins.attemptId }).from(chainAttemptCoins).where(inArray(chainAttemptCoins.outpoint, outpoints))
    )
  if (!sameNonce && !sameCoin) return
  const [rival] = await tx
    .select({ height: chainAttempts.height })
    .from(chainAttempts)
    .innerJoin(chainSends, eq(chainSends.id, chainAttempts.sendId))
    .where(
      and(
        eq(chainAttempts.chain, chain),
        ne(chainAttempts.transactionId, transactionId),
        isNotNull(chainAttempts.height),
        or(sameNonce || undefined, sameCoin || undefined)
      )
    )
  const [stray] =
    sameNonce && fromId !== null && nonce !== null
      ? await tx
          .select({ height: chainStrays.height })
          .from(chainStrays)
          .where(and(eq(chainStrays.fromId, fromId), eq(chainStrays.nonce, nonce)))
      : []
  const conflictHeight = rival?.height ?? stray?.height
  if (conflictHeight !== undefined)
    await tx.update(chainAttempts).set({ conflictHeight }).where(eq(chainAttempts.transactionId, transactionId))
}

/** Lost payments that no operator has released yet. */
export function lostSends(db: Executor) {
  return db
    .select()
    .from(chainSends)
    .where(and(eq(chainSends.purpose, 'lost'), eq(chainSends.state, 'signed'), isNull(chainSends.releasedAt)))
}

/** A payment that the signer's journal has and a restored database lacked. Returns undefined if no such payment has this id. */
export async function findLost(db: Executor, id: string) {
  const isLost = and(eq(chainSends.id, id), eq(chainSends.purpose, 'lost'))
  const [row] = await db.select().from(chainSends).where(isLost)
  return row
}

/** The newest 100 lost payments. */
export function allLost(db: Executor) {
  return db.select().from(chainSends).where(eq(chainSends.purpose, 'lost')).orderBy(desc(chainSends.signedAt)).limit(100)
}

/**
 * Lets a lost payment be broadcast; it is booked as a loss when it is confirmed. False if no lost payment with this id waits for its
 * release.
 */
export async function releaseSend(
  context: Context,
  { id, actor, why }: { id: string; actor: Actor; why: string }
): Promise<boolean> {
  const released = await context.db
    .update(chainSends)
    .set({ releasedAt: context.clock() })
    .where(and(eq(chainSends.id, id), eq(chainSends.purpose, 'lost'), isNull(chainSends.releasedAt)))
    .returning({ id: chainSends.id })
  if (released.length > 0) context.log.warn({ send: id, by: actorText(actor), why }, 'a lost payment was released')
  return released.length > 0
}

/** The id of a payment that follows from something else: always the same, so that it is made once, and no id that a row could name. */
export function derivedId(of: string): string {
  const digits = createHash('sha256').update(of).digest('hex').slice(0, 32)
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
