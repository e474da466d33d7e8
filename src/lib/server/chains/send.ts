/**
 * Signing a payment out of our wallets. Only the signer does it: it proves on the chain that nothing is on its way that it does not
 * know of, writes down what it signs in its own file, and stores the bytes before anybody broadcasts them.
 */
import { and, asc, desc, eq, isNull, lte, notInArray, sql } from 'drizzle-orm'
import { type Chain, type ChainToken, chainOf, NATIVE } from '#lib/domain/chains/chains.ts'
import { selectCoins } from '#lib/domain/chains/coins.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { CPC_FEE } from './fees.ts'
import type { Entry, Journal } from './journal.ts'
import { amongTexts } from './ours.ts'
import type { ChainNode, Payout, Price } from './port.ts'
import { isProven } from './proof.ts'
import {
  chainAccounts,
  chainAddresses,
  chainAttemptCoins,
  chainAttempts,
  chainBlocks,
  chainOutputs,
  chainSends,
  chainStrays,
  type SendPurpose
} from './schema.ts'
import { findStop, stopChain } from './stops.ts'
import { type AttemptRow, CHAINS_ACTOR, type Confirmations, isPending, type SendRow } from './watch.ts'

type AddressRow = typeof chainAddresses.$inferSelect
export type Coin = { outpoint: string; amount: bigint; address: AddressRow }

/** Everything that makes the bytes, besides the key. */
export type Plan = {
  payout: Payout
  /** The account that pays. */
  from: AddressRow | undefined
  nonce: bigint | undefined
  /** Gas; 1 for CPC. */
  size: bigint
  /** Bitcoin: what pays, and what comes back to us. */
  coins: Coin[]
  change: { address: string; amount: bigint } | undefined
  price: Price
  networkFee: bigint
  /** CPC: what the node prepared. */
  prepared: string | undefined
}
export type Signed = { transactionId: string; bytes: string; expiresAt?: bigint }
/** Holds the key. Throws where the address that pays is none of the seed's, or the prepared bytes say something else. */
export type PlanSigner = (plan: Plan) => Promise<Signed>

export type Signing = {
  node: ChainNode
  sign: PlanSigner
  journal: Journal
  /** The signer's public key. */
  proof: string
  confirmations: Confirmations
}

export type Asked = {
  id: string
  purpose: SendPurpose
  payout: Payout
  /** A customer's address that is swept; without it the hot wallet pays. */
  from?: AddressRow
  /** The highest network fee, in the chain's own token. */
  mostFee: bigint
  /** Worth, in USD cents; 0 for what stays ours. */
  cents: bigint
  /** Marks it as signed in the transaction that stores the bytes; false where it may not be signed any more. */
  claim: (work: Work) => Promise<boolean>
}

/**
 * `behind`: the chain is not read up to its newest block. `stopped`: nothing is sent on it. `network_fee`: the network asks for too
 * much at the moment. `hot_wallet`: there is not enough in it. `gone`: it is not to be signed any more.
 */
export type Outcome = 'signed' | 'behind' | 'stopped' | 'network_fee' | 'hot_wallet' | 'gone'

/** Blocks that may be missing: where they are quick, reading is always a little behind; the count of nonces covers those. */
const LAG: Record<Chain, number> = { bitcoin: 0, ethereum: 3, cpc: 0 }
const CPC_DEADLINE_MINUTES = 60

/** Signs a payment and stores its bytes, once. What was signed already, and was lost from the database, is stored again unchanged. */
export async function signSend(context: Context, signing: Signing, asked: Asked): Promise<Outcome> {
  const chain = chainOf(asked.payout.token)
  const known = signing.journal.find(asked.id, 0)
  if (known) return restore(context, signing.journal, asked, known)
  const wait = await whyNotNow(context, signing.node)
  if (wait) return wait
  const from = asked.from ?? (await houseAddress(context.db, signing.proof, chain, 'hot'))
  if (!from) return 'hot_wallet'
  const drawn = await draw(context, signing, { payout: asked.payout, from, price: await signing.node.price() })
  if (!drawn) return 'hot_wallet'
  if (drawn.networkFee > asked.mostFee) return 'network_fee'
  if (await hasUnknown(context, signing, drawn, from)) return 'stopped'
  return store(context, signing, asked, { ...drawn, from: chain === 'bitcoin' ? undefined : from })
}

/** Undefined where it may be signed. */
async function whyNotNow({ db }: Context, node: ChainNode): Promise<'behind' | 'stopped' | undefined> {
  const { chain } = node
  if ((await findStop(db, chain)) || (await findStop(db, chain, 'sending'))) return 'stopped'
  const tip = await node.tip()
  const [newest] = await db
    .select()
    .from(chainBlocks)
    .where(eq(chainBlocks.chain, chain))
    .orderBy(desc(chainBlocks.height))
    .limit(1)
  if (!newest || tip.height - newest.height > LAG[chain] || tip.height < newest.height) return 'behind'
  return tip.height > newest.height || tip.hash === newest.hash ? undefined : 'behind'
}

/** The newest one of ours that this signer made. */
export async function houseAddress(
  db: Executor,
  proof: string,
  chain: Chain,
  purpose: 'hot' | 'change'
): Promise<AddressRow | undefined> {
  const rows = await db
    .select()
    .from(chainAddresses)
    .where(and(eq(chainAddresses.chain, chain), eq(chainAddresses.purpose, purpose)))
    .orderBy(desc(chainAddresses.id))
  return rows.find((row) => isProven(proof, row))
}

type Drawing = { payout: Payout; from: AddressRow; price: Price; replaces?: { attempt: AttemptRow; coins: string[] } }

/** What the payment would be like now; undefined where the wallet does not have enough. */
async function draw(context: Context, signing: Signing, drawing: Drawing): Promise<Plan | undefined> {
  return chainOf(drawing.payout.token) === 'bitcoin'
    ? drawCoins(context, signing, drawing)
    : drawAccount(context, signing, drawing)
}

async function drawCoins(
  { db }: Context,
  { proof, confirmations }: Signing,
  { payout, from, price, replaces }: Drawing
): Promise<Plan | undefined> {
  const free = await freeCoins(db, proof, confirmations.BTC)
  const required = replaces ? await coinsOf(db, replaces.coins) : []
  const selected = selectCoins(payout.amount, price.most, { required, others: free })
  const change = await houseAddress(db, proof, 'bitcoin', 'change')
  if (!selected || !change) return undefined
  return {
    payout,
    from,
    nonce: undefined,
    size: selected.fee / price.most,
    coins: selected.coins,
    change: selected.change > 0n ? { address: change.address, amount: selected.change } : undefined,
    price,
    networkFee: selected.fee,
    prepared: undefined
  }
}

/** Confirmed coins of ours that no payment on its way spends. */
async function freeCoins(db: Executor, proof: string, confirmations: number): Promise<Coin[]> {
  const bound = db
    .select({ outpoint: chainAttemptCoins.outpoint })
    .from(chainAttemptCoins)
    .innerJoin(chainAttempts, eq(chainAttempts.id, chainAttemptCoins.attemptId))
    .where(isPending)
  const [{ newest = 0 } = {}] = await db
    .select({ newest: sql<number>`max(${chainBlocks.height})::integer` })
    .from(chainBlocks)
    .where(eq(chainBlocks.chain, 'bitcoin'))
  const rows = await coinRows(db)
    .where(
      and(
        eq(chainOutputs.chain, 'bitcoin'),
        isNull(chainOutputs.spentHeight),
        lte(chainOutputs.height, newest - confirmations + 1),
        notInArray(chainOutputs.outpoint, bound)
      )
    )
    .orderBy(desc(chainOutputs.amount))
    .limit(MOST_COINS)
  return rows.filter(({ address }) => isProven(proof, address))
}

/** More inputs make a transaction that nodes do not forward. */
const MOST_COINS = 500

const coinRows = (db: Executor) =>
  db
    .select({ outpoint: chainOutputs.outpoint, amount: chainOutputs.amount, address: chainAddresses })
    .from(chainOutputs)
    .innerJoin(chainAddresses, eq(chainAddresses.id, chainOutputs.addressId))
    .$dynamic()

async function coinsOf(db: Executor, outpoints: string[]): Promise<Coin[]> {
  return coinRows(db).where(and(eq(chainOutputs.chain, 'bitcoin'), sql`${chainOutputs.outpoint} = ${amongTexts(outpoints)}`))
}

async function drawAccount(
  context: Context,
  { node }: Signing,
  { payout, from, price, replaces }: Drawing
): Promise<Plan | undefined> {
  const { chain } = node
  const native = NATIVE[chain]
  const size = await node.sizeOf(from.address, payout)
  const networkFee = chain === 'cpc' ? CPC_FEE : price.most * size
  const needs = new Map<ChainToken, bigint>([[native, networkFee]])
  needs.set(payout.token, (needs.get(payout.token) ?? 0n) + payout.amount)
  if (!replaces) {
    for (const [token, needed] of needs) {
      const bound = await boundOf(context.db, from.id, token, native)
      if ((await node.holds({ address: from.address, token })) < needed + bound) return undefined
    }
  }
  const prepared = await node.prepare?.({
    payout,
    senderPublicKey: from.publicKey ?? '',
    fee: networkFee,
    deadlineMinutes: CPC_DEADLINE_MINUTES
  })
  const nonce = chain === 'ethereum' ? (replaces?.attempt.nonce ?? (await nextNonce(context.db, from.id))) : undefined
  return { payout, from, nonce, size, coins: [], change: undefined, price, networkFee, prepared }
}

async function nextNonce(db: Executor, addressId: bigint): Promise<bigint> {
  const [account] = await db
    .select({ next: chainAccounts.nextNonce })
    .from(chainAccounts)
    .where(eq(chainAccounts.addressId, addressId))
  return account?.next ?? 0n
}

/** What payments on their way take from an account. */
async function boundOf(db: Executor, fromId: bigint, token: ChainToken, native: ChainToken): Promise<bigint> {
  const rows = await db
    .select({
      currency: chainSends.currency,
      amount: chainSends.amount,
      fee: sql<string>`max(${chainAttempts.networkFee})::text`
    })
    .from(chainSends)
    .innerJoin(chainAttempts, eq(chainAttempts.sendId, chainSends.id))
    .where(and(eq(chainSends.fromId, fromId), eq(chainSends.state, 'signed'), isPending))
    .groupBy(chainSends.id)
  return rows.reduce(
    (sum, { currency, amount, fee }) => sum + (currency === token ? amount : 0n) + (native === token ? BigInt(fee) : 0n),
    0n
  )
}

/** Stops sending where the node knows of a payment out of this wallet that we do not know. */
async function hasUnknown(context: Context, { node }: Signing, plan: Plan, from: AddressRow): Promise<boolean> {
  const { db } = context
  const onTheWay = await db
    .select({ id: chainAttempts.transactionId })
    .from(chainAttempts)
    .where(and(eq(chainAttempts.chain, node.chain), isPending))
  const unknown = await node.findUnknown({
    address: from.address,
    nextNonce: plan.nonce ?? 0n,
    outpoints: plan.coins.map(({ outpoint }) => outpoint),
    onTheWay: onTheWay.map(({ id }) => id)
  })
  if (!unknown) return false
  // Signed by another signer while we were asking.
  if (plan.nonce !== undefined && (await nextNonce(db, from.id)) !== plan.nonce) return true
  await stopChain(context, node.chain, { actor: CHAINS_ACTOR, why: unknown }, 'sending')
  return true
}

type Facts = {
  nonce: string | null
  most: string
  tip: string
  networkFee: string
  expiresAt: string | null
  outpoints: string[]
  fromId: string | null
}

/** Signs within the transaction that stores the bytes. The signer's own file comes first: see `restore`. */
async function store(context: Context, signing: Signing, asked: Asked, plan: Plan): Promise<Outcome> {
  return transact(context, async (work): Promise<Outcome> => {
    const { tx, now } = work
    const { chain } = signing.node
    await lockSending(work, chain)
    if (await findStop(tx, chain, 'sending')) return 'stopped'
    if (plan.from && plan.nonce !== undefined && (await nextNonce(tx, plan.from.id)) !== plan.nonce) return 'behind'
    const free = plan.coins.length > 0 ? await freeCoins(tx, signing.proof, signing.confirmations.BTC) : []
    if (plan.coins.some(({ outpoint }) => !free.some((coin) => coin.outpoint === outpoint))) return 'behind'
    if (!(await asked.claim(work))) return 'gone'
    const entry = await signEntry(signing, { id: asked.id, attempt: 0, cents: asked.cents, at: now }, plan)
    await insertSend(work, asked, plan.from?.id ?? null, now)
    await insertAttempt(work, chain, entry)
    return 'signed'
  })
}

/** One payment of a chain is signed at a time. */
async function lockSending({ tx }: Work, chain: Chain): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`send:${chain}`}, 0))`)
}

type Numbered = { id: string; attempt: number; cents: bigint; at: Date }

async function signEntry({ sign, journal }: Signing, { id, attempt, cents, at }: Numbered, plan: Plan): Promise<Entry> {
  const known = journal.find(id, attempt)
  if (known) return known
  const { transactionId, bytes, expiresAt } = await sign(plan)
  const facts: Facts = {
    nonce: plan.nonce?.toString() ?? null,
    most: plan.price.most.toString(),
    tip: plan.price.tip.toString(),
    networkFee: plan.networkFee.toString(),
    expiresAt: expiresAt?.toString() ?? null,
    outpoints: plan.coins.map(({ outpoint }) => outpoint),
    fromId: plan.from?.id.toString() ?? null
  }
  const entry = { sendId: id, attempt, transactionId, bytes, facts: JSON.stringify(facts), cents, at }
  journal.write(entry)
  return entry
}

/**
 * The signer has signed it before, but the database does not know: its process died before the commit, or an older copy of the
 * database was restored. The same bytes are stored again: they can be in the chain once only.
 */
async function restore(context: Context, journal: Journal, asked: Asked, entry: Entry): Promise<Outcome> {
  const chain = chainOf(asked.payout.token)
  return transact(context, async (work): Promise<Outcome> => {
    await lockSending(work, chain)
    if (!(await asked.claim(work))) return 'gone'
    const { fromId } = JSON.parse(entry.facts) as Facts
    await insertSend(work, asked, fromId === null ? null : BigInt(fromId), entry.at)
    for (let known: Entry | undefined = entry; known; known = journal.find(asked.id, known.attempt + 1))
      await insertAttempt(work, chain, known)
    return 'signed'
  })
}

async function insertSend(
  { tx }: Work,
  { id, purpose, payout, mostFee }: Asked,
  fromId: bigint | null,
  signedAt: Date
): Promise<void> {
  const { to, token, amount } = payout
  await tx.insert(chainSends).values({
    id,
    chain: chainOf(token),
    purpose,
    fromId,
    currency: token,
    receiver: to,
    amount,
    mostFee,
    state: 'signed',
    signedAt
  })
}

async function insertAttempt({ tx }: Work, chain: Chain, entry: Entry): Promise<void> {
  // Read in a block before it was stored again here.
  const [seen] = await tx
    .delete(chainStrays)
    .where(and(eq(chainStrays.chain, chain), eq(chainStrays.transactionId, entry.transactionId)))
    .returning({ height: chainStrays.height })
  const { nonce, most, tip, networkFee, expiresAt, outpoints, fromId } = JSON.parse(entry.facts) as Facts
  const [made] = await tx
    .insert(chainAttempts)
    .values({
      sendId: entry.sendId,
      chain,
      transactionId: entry.transactionId,
      bytes: entry.bytes,
      nonce: nonce === null ? null : BigInt(nonce),
      price: BigInt(most),
      tip: BigInt(tip),
      networkFee: BigInt(networkFee),
      expiresAt: expiresAt === null ? null : BigInt(expiresAt),
      signedAt: entry.at,
      height: seen?.height ?? null
    })
    .returning({ id: chainAttempts.id })
  if (!made) throw new Error('The database returned no attempt')
  if (outpoints.length > 0)
    await tx.insert(chainAttemptCoins).values(outpoints.map((outpoint) => ({ attemptId: made.id, outpoint })))
  if (nonce !== null && fromId !== null) {
    const next = BigInt(nonce) + 1n
    await tx
      .insert(chainAccounts)
      .values({ addressId: BigInt(fromId), nextNonce: next })
      .onConflictDoUpdate({
        target: chainAccounts.addressId,
        set: { nextNonce: sql`greatest(${chainAccounts.nextNonce}, ${next.toString()}::bigint)` }
      })
  }
}

/** A replacement must offer at least so much more: a tenth by the networks' rules, a quarter so that it helps. */
const RAISED = { times: 5n, by: 4n }
const raise = (value: bigint) => (value * RAISED.times + RAISED.by - 1n) / RAISED.by

const bigger = (a: bigint, b: bigint) => (a > b ? a : b)

/** Signs another attempt of a send that conflicts with those before; `undefined` where it cannot be done now. */
export async function replaceSend(
  context: Context,
  signing: Signing,
  send: SendRow
): Promise<'signed' | 'network_fee' | undefined> {
  const { db } = context
  const { node, proof } = signing
  if (await whyNotNow(context, node)) return undefined
  const attempts = await db.select().from(chainAttempts).where(eq(chainAttempts.sendId, send.id)).orderBy(asc(chainAttempts.id))
  const last = attempts.at(-1)
  if (!last || attempts.some(({ height }) => height !== null)) return undefined
  const coins = await db
    .select({ outpoint: chainAttemptCoins.outpoint })
    .from(chainAttemptCoins)
    .where(eq(chainAttemptCoins.attemptId, last.id))
  const asks = await node.price()
  const price = { most: bigger(asks.most, raise(last.price)), tip: bigger(asks.tip, raise(last.tip)) }
  const [from] = send.fromId ? await db.select().from(chainAddresses).where(eq(chainAddresses.id, send.fromId)) : []
  const payer = from ?? (await houseAddress(db, proof, send.chain, 'hot'))
  if (!payer) return undefined
  const payout = { to: send.receiver, token: send.currency, amount: send.amount }
  const outpoints = coins.map(({ outpoint }) => outpoint)
  const drawn = await draw(context, signing, { payout, from: payer, price, replaces: { attempt: last, coins: outpoints } })
  if (!drawn) return undefined
  if (drawn.networkFee > send.mostFee) return 'network_fee'
  return transact(context, async (work) => {
    await lockSending(work, send.chain)
    const now = await work.tx.select({ id: chainAttempts.id }).from(chainAttempts).where(eq(chainAttempts.sendId, send.id))
    if (now.length !== attempts.length || (await findStop(work.tx, send.chain, 'sending'))) return undefined
    const numbered = { id: send.id, attempt: attempts.length, cents: 0n, at: work.now }
    const plan = { ...drawn, from: send.chain === 'bitcoin' ? undefined : payer }
    await insertAttempt(work, send.chain, await signEntry(signing, numbered, plan))
    return 'signed' as const
  })
}
