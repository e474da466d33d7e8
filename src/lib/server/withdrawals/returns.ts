/**
 * Coins in `suspense` that go back to whoever sent them. Two persons sign the order, each with their own key in a file; the signer pays it as it
 * pays a withdrawal, under the same limits; it is booked when the chain has confirmed it.
 */
import { randomUUID } from 'node:crypto'
import { and, asc, desc, eq, notExists, sql } from 'drizzle-orm'
import { readAddress, segwitOfSameKey } from '#lib/domain/chains/address.ts'
import { chainOf, isChainToken } from '#lib/domain/chains/chains.ts'
import { PROPOSAL_SECONDS } from '#lib/domain/staff/sessions.ts'
import { smallestWithdrawal, WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { addressesAmong, chainSends, NodeError, type SendListener, type Signing, signSend } from '../chains/index.ts'
import { decideReturn, lockSuspended, type Suspended, suspenseDecisionOf } from '../deposits/index.ts'
import { house, type LedgerCheck, post, withStock } from '../ledger/index.ts'
import { type Actor, actorText, systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { operatorAmong, type PrivateKey } from '../platform/ed25519.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { worthAtMost } from '../rates/index.ts'
import { activeOperators } from '../staff/index.ts'
import { mostFeeOf } from './fee.ts'
import { suspenseReturnSeconds, suspenseReturns } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'

const AT_ONCE = 20
/** Rows that nobody of the signer's list has signed must not keep it from the others. */
const LOOKED_AT = 500
type ReturnRow = typeof suspenseReturns.$inferSelect

type Settings = Pick<WithdrawalSettings, 'networks' | 'networkNames' | 'contracts'>

/** Everything that the operator's signature is about. */
function returnText(
  { networkNames }: Pick<Settings, 'networkNames'>,
  row: Pick<ReturnRow, 'id' | 'chain' | 'currency' | 'receiver' | 'amount' | 'fee'>
) {
  const { id, chain, currency, receiver, amount, fee } = row
  return Buffer.from(
    JSON.stringify(['suspense return', 1, id, networkNames[chain], currency, receiver, amount.toString(), fee.toString()])
  )
}

export type ReturnRefusal = 'unknown' | 'no_token' | 'no_address' | 'ours' | 'too_small' | 'unproven' | 'signed_before'
/** `one_more`: another person must sign the same. */
export type Ordered = 'ordered' | 'one_more' | ReturnRefusal

class Refused extends Error {
  readonly refusal: ReturnRefusal
  constructor(refusal: ReturnRefusal) {
    super(refusal)
    this.refusal = refusal
  }
}

/** `mayStill`: whether a member of staff may decide about coins now. */
type Order = {
  suspended: Suspended
  to: string
  key: PrivateKey
  actor: Actor
  why: string
  mayStill: (db: Executor, staffId: string) => Promise<boolean>
}

/** A signature waits this long for the second one, as a proposal at the desk does. */
const FIRST_COUNTS_MS = PROPOSAL_SECONDS * 1000

/**
 * Signs the order that suspended coins go back to an address, less the fee of a withdrawal. Two persons must sign. The first signature counts for a
 * day; the second one orders the return, once. `too_small`: what is left after the fee is less than the network accepts. `ours`: the receiver is an
 * address of a customer or of the house, or the contract of a token. `unproven`: the coins are at an address whose key the signer may not have.
 */
export async function orderReturn(context: Context, settings: Settings, order: Order): Promise<Ordered> {
  try {
    return await transact(context, (work) => signReturn(work, settings, order))
  } catch (error) {
    // Thrown, so that the decision is taken back too.
    if (error instanceof Refused) return error.refusal
    throw error
  }
}

async function signReturn(work: Work, settings: Settings, { suspended, to, key, actor, why, mayStill }: Order): Promise<Ordered> {
  const { tx, now } = work
  const coins = await lockSuspended(work, suspended)
  if (!coins || (await suspenseDecisionOf(tx, suspended))) throw new Refused('unknown')
  const { currency, amount } = coins
  if (!isChainToken(currency)) throw new Refused('no_token')
  const chain = chainOf(currency)
  const read = readAddress(chain, to, settings.networks)
  if (read.fault) throw new Refused('no_address')
  const spelled = chain === 'bitcoin' ? segwitOfSameKey(read.address, settings.networks) : undefined
  const isOurs = (await addressesAmong(tx, chain, spelled ? [read.address, spelled] : [read.address])).length > 0
  if (isOurs || settings.contracts.some((one) => one.toLowerCase() === read.address.toLowerCase())) throw new Refused('ours')
  if (coins.note === 'unproven') throw new Refused('unproven')
  if (amount < smallestWithdrawal(currency)) throw new Refused('too_small')
  const name = `${suspended.kind}:${suspended.id}`
  const isSame = and(
    eq(suspenseReturns.suspended, name),
    eq(suspenseReturns.receiver, read.address),
    eq(suspenseReturns.amount, amount)
  )
  const [newest] = await tx.select().from(suspenseReturns).where(isSame).orderBy(desc(suspenseReturns.orderedAt)).limit(1)
  const isFresh = newest !== undefined && now.getTime() - newest.orderedAt.getTime() <= FIRST_COUNTS_MS
  // A first signature counts only while its person may decide. Otherwise one person alone would decide, or the signer would pay nothing.
  const first = isFresh && (await mayStill(tx, newest.actor.replace(/^staff:/, ''))) ? newest : undefined
  if (first && first.actor === actorText(actor)) throw new Refused('signed_before')
  if (!first) {
    const row = { id: randomUUID(), chain, currency, receiver: read.address, amount, fee: WITHDRAWAL_FEES[currency] }
    const signature = key.sign(returnText(settings, row))
    await tx.insert(suspenseReturns).values({ ...row, suspended: name, actor: actorText(actor), why, signature, orderedAt: now })
    return 'one_more'
  }
  if (!(await decideReturn(work, suspended, { actor, why }))) throw new Refused('unknown')
  const signature = key.sign(returnText(settings, first))
  await tx.insert(suspenseReturnSeconds).values({ returnId: first.id, actor: actorText(actor), why, signature, signedAt: now })
  return 'ordered'
}

/** True if a payment of the journal is one that the database has an order for. */
export async function isOrdered({ tx }: Work, { sendId, receiver }: { sendId: string; receiver: string }): Promise<boolean> {
  const isIt = and(eq(suspenseReturns.id, sendId), eq(suspenseReturns.receiver, receiver))
  const [row] = await tx.select({ id: suspenseReturns.id }).from(suspenseReturns).where(isIt)
  return row !== undefined
}

/** Orders that this process has logged as signed by nobody of its list. */
const told = new Set<string>()

/** Signs the ordered returns of a chain. One that cannot be signed now is tried again. `recoverSends` must have run before. */
export async function signReturns(context: Context, settings: WithdrawalSettings, signing: Signing): Promise<void> {
  const { db, log } = context
  const due = await db
    .select({ row: suspenseReturns, second: suspenseReturnSeconds.signature })
    .from(suspenseReturns)
    .innerJoin(suspenseReturnSeconds, eq(suspenseReturnSeconds.returnId, suspenseReturns.id))
    .where(
      and(
        eq(suspenseReturns.chain, signing.node.chain),
        notExists(db.select({ one: sql`1` }).from(chainSends).where(eq(chainSends.id, suspenseReturns.id)))
      )
    )
    .orderBy(asc(suspenseReturns.orderedAt))
    .limit(LOOKED_AT)
  if (due.length === 0) return
  const rates = await settings.rates.current()
  const operators = await activeOperators(db, settings.operatorKeys)
  let signed = 0
  for (const { row, second } of due) {
    if (signed >= AT_ONCE) return
    const { id, chain, currency, receiver, amount, fee } = row
    const read = readAddress(chain, receiver, settings.networks)
    const text = returnText(settings, row)
    const persons = [row.signature, second].map((one) => operatorAmong(operators, text, [one])?.name.toLowerCase())
    const isRight =
      persons.every((person) => person !== undefined) &&
      new Set(persons).size === 2 &&
      read.fault === undefined &&
      chainOf(currency) === chain
    if (!isRight) {
      if (!told.has(id))
        log.error({ return: id }, 'the signer refuses to return coins: no two persons of its list have signed this')
      told.add(id)
      continue
    }
    const outcome = await signSend(context, signing, {
      id,
      purpose: 'return',
      payout: { to: receiver, token: currency, amount: amount - fee },
      mostFee: mostFeeOf(rates, currency),
      cents: worthAtMost(rates, currency, amount).usdCents,
      claim: async () => true
    }).catch(async (error: unknown) => {
      // One that cannot be paid, e.g. because its receiver takes no coins, does not hold up the others. The run ends only if this one was
      // signed already, which the next run stores, or if the node does not respond.
      if (signing.journal.of(id).length > 0) throw error
      if (error instanceof NodeError) await signing.node.tip()
      log.error({ return: id, err: error }, 'suspended coins cannot be returned now')
      return 'refused' as const
    })
    if (outcome === 'refused') continue
    signed += 1
    if (outcome !== 'signed') log.warn({ return: id, outcome }, 'suspended coins wait for their way back')
    if (outcome === 'behind' || outcome === 'stopped') return
  }
}

/** Books what the chain has settled. Coins that cannot be returned are kept by our treasury, and an operator is told. */
export function returnListener({ log }: Pick<Context, 'log'>): SendListener {
  return async ({ tx, now }, { id, purpose, state }) => {
    if (purpose !== 'return') return
    const [row] = await tx.select().from(suspenseReturns).where(eq(suspenseReturns.id, id))
    if (!row) throw new Error(`There is no return of send ${id}`)
    const { currency, amount, fee } = row
    const isPaid = state === 'confirmed'
    if (!isPaid)
      log.error({ return: id, receiver: row.receiver }, 'suspended coins could not be returned: the treasury keeps them')
    const part = (kind: 'chain' | 'fees' | 'treasury', units: bigint) => ({
      source: house('suspense'),
      destination: house(kind),
      currency,
      amount: units
    })
    await post(tx, {
      reason: 'suspense_returned',
      source: { type: 'chain_send', id },
      reference: `suspense_returned:${id}`,
      actor: systemActor('chains'),
      transfers: isPaid ? [part('chain', amount - fee), part('fees', fee)] : await withStock(tx, [part('treasury', amount)]),
      at: now
    })
  }
}

export const returnChecks: LedgerCheck[] = [
  {
    says: 'what was returned out of suspense is not what was ordered and settled',
    query: sql`
      select r.id || ': ' || r.amount || ' against ' || b.amount as what from suspense_returns r
      left join chains_sent s on s.id = r.id
      cross join lateral (
        select coalesce(sum(l.amount), 0) as amount from ledger_lines l
        where l.source_type = 'chain_send' and l.source_id = r.id::text and l.reason = 'suspense_returned' and l.currency = r.currency
      ) b where b.amount <> case when s.state in ('confirmed', 'failed') then r.amount else 0 end limit 20`
  }
]
