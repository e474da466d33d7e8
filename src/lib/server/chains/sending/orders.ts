/**
 * What an operator orders about a payment that is stuck: to pay a higher network fee, or to take its place so that it can no longer be paid.
 * Each order is signed: by a passkey at the desk, or by an operator's key in a file. The signer checks the signatures against its own lists, and
 * carries out no order that is not signed by as many persons as it takes.
 */
import { and, asc, desc, eq, inArray, isNull, lte, notInArray, sql } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import { orderChallenge, personsForOrder, type SendOrder } from '#lib/domain/chains/orders.ts'
import { PROPOSAL_SECONDS } from '#lib/domain/staff/sessions.ts'
import { type Actor, actorText } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { type OperatorKey, operatorAmong, type PrivateKey } from '../../platform/ed25519.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import { type ListedKey, type PasskeyAnswer, personOfAnswer } from '../../staff/index.ts'
import { chainAttempts, chainOrders, chainSends, type SendPurpose } from '../schema.ts'

function orderText({ sendId, kind, mostFee }: SendOrder): Buffer {
  return Buffer.from(JSON.stringify(['payment order', 1, kind, sendId, mostFee.toString()]))
}

type Made = { actor: Actor; why: string } & ({ signature: string } | { passkey: PasskeyAnswer })

/** By a key in a file. False if there is no such payment under way, or if its chain cannot do this: a CPC payment expires by itself. */
export function orderSend(
  context: Context,
  order: SendOrder,
  { key, actor, why }: { key: PrivateKey; actor: Actor; why: string }
): Promise<boolean> {
  return transact(context, (work) => keepOrder(work, order, { actor, why, signature: key.sign(orderText(order)) }))
}

/** The same with a passkey's answer to `orderChallenge`, in the caller's transaction. */
export async function keepOrder({ tx, now }: Work, order: SendOrder, { actor, why, ...proof }: Made): Promise<boolean> {
  const [send] = await tx.select().from(chainSends).where(eq(chainSends.id, order.sendId))
  if (!send || !isOrderable(send)) return false
  await tx.insert(chainOrders).values({ ...order, ...proof, actor: actorText(actor), why, orderedAt: now })
  return true
}

/** The signer has not signed these, or knows nothing of them. */
const NOT_OURS: SendPurpose[] = ['lost', 'refill']

const isOrderable = ({ state, purpose, chain }: { state: string; purpose: SendPurpose; chain: Chain }) =>
  state === 'signed' && !NOT_OURS.includes(purpose) && chain !== 'cpc'

/** Whose orders the signer carries out. `network`: what tells its network from every other. `at`: the later of the chain's time and ours. */
export type Orderers = { operatorKeys: OperatorKey[]; staffKeys: ListedKey[]; network: string; at: Date }

/**
 * The newest order about a payment that is signed by enough persons of the signer's own lists, by passkeys or by keys in files. `cap`: the fee
 * that it would pay by itself.
 */
export async function orderOf(
  db: Executor,
  orderers: Orderers,
  sendId: string,
  cap: bigint
): Promise<(SendOrder & { orderedAt: Date }) | undefined> {
  const signed: Signed[] = []
  for (const row of await newestOrders(db, orderers, sendId)) {
    const by = await signerOf(row, orderers)
    if (by) signed.push({ ...row, ...by })
  }
  for (const order of signed.toSorted((one, other) => other.orderedAt.getTime() - one.orderedAt.getTime())) {
    const same = signed.filter(({ kind, mostFee }) => kind === order.kind && mostFee === order.mostFee)
    if (new Set(same.map(({ person }) => person)).size >= personsForOrder(order, cap)) return order
  }
  return undefined
}

type Row = typeof chainOrders.$inferSelect
/** `orderedAt`: of a passkey's answer the moment that it was signed for, which no row can change. */
type Signed = SendOrder & { person: string; orderedAt: Date }

async function signerOf(
  row: Row,
  { operatorKeys, staffKeys, network, at }: Orderers
): Promise<Pick<Signed, 'person' | 'orderedAt'> | undefined> {
  if (row.signature !== null) {
    const operator = operatorAmong(operatorKeys, orderText(row), [row.signature])
    return operator && { person: operator.name.toLowerCase(), orderedAt: row.orderedAt }
  }
  const { passkey } = row
  if (!passkey) return undefined
  const person = await personOfAnswer({ keys: staffKeys, at }, passkey, (once) => orderChallenge(network, row, once))
  return person ? { person, orderedAt: new Date((Number(passkey.expires) - PROPOSAL_SECONDS) * 1000) } : undefined
}

/** Of each key that the signer knows the newest few different answers: rows made up in the database neither push an order out nor keep it busy. */
async function newestOrders(db: Executor, { staffKeys }: Orderers, sendId: string): Promise<Row[]> {
  const key = sql<string>`${chainOrders.passkey} ->> 'key'`
  const ofSend = and(
    eq(chainOrders.sendId, sendId),
    sql`coalesce(length(${chainOrders.passkey}::text), length(${chainOrders.signature})) < ${MOST_BYTES}`
  )
  const known = staffKeys.length > 0 ? staffKeys.map((one) => one.key) : ['']
  const ranked = db
    .select({
      id: chainOrders.id,
      rank: sql<number>`row_number() over (partition by ${key} order by ${chainOrders.id} desc)`.as('rank')
    })
    .from(chainOrders)
    .where(and(ofSend, inArray(key, known)))
    .as('ranked')
  const ids = db.select({ id: ranked.id }).from(ranked).where(lte(ranked.rank, MOST_OF_A_KEY))
  const byPasskey = await db.select().from(chainOrders).where(inArray(chainOrders.id, ids))
  const byFile = await db
    .select()
    .from(chainOrders)
    .where(and(ofSend, isNull(chainOrders.passkey)))
    .orderBy(desc(chainOrders.id))
    .limit(MOST_BY_FILE)
  const seen = new Set<string>()
  return [...byPasskey, ...byFile].filter(({ passkey, signature, kind, mostFee }) => {
    const text = JSON.stringify([passkey, signature, kind, mostFee.toString()])
    return !seen.has(text) && seen.add(text)
  })
}
const MOST_BYTES = 8192
const MOST_OF_A_KEY = 20
const MOST_BY_FILE = 100

export type OpenSend = {
  send: typeof chainSends.$inferSelect
  /** The newest attempt. */
  last: typeof chainAttempts.$inferSelect | undefined
  attempts: number
  orders: (typeof chainOrders.$inferSelect)[]
  mayOrder: boolean
}

/** Payments that are in no block yet, oldest first; or the one of an id, wherever it is. */
export async function openSends(db: Executor, id?: string): Promise<OpenSend[]> {
  const sends = await db
    .select()
    .from(chainSends)
    .where(id ? eq(chainSends.id, id) : and(eq(chainSends.state, 'signed'), notInArray(chainSends.purpose, NOT_OURS)))
    .orderBy(asc(chainSends.signedAt))
    .limit(MOST_OPEN)
  const ids = sends.map((send) => send.id)
  if (ids.length === 0) return []
  const [attempts, orders] = await Promise.all([
    db.select().from(chainAttempts).where(inArray(chainAttempts.sendId, ids)).orderBy(desc(chainAttempts.id)),
    db.select().from(chainOrders).where(inArray(chainOrders.sendId, ids)).orderBy(desc(chainOrders.id))
  ])
  return sends.flatMap((send) => {
    const own = attempts.filter(({ sendId }) => sendId === send.id)
    if (!id && own.some(({ height, conflictHeight }) => height !== null || conflictHeight !== null)) return []
    const made = orders.filter(({ sendId }) => sendId === send.id)
    return [{ send, last: own[0], attempts: own.length, orders: made, mayOrder: isOrderable(send) }]
  })
}
const MOST_OPEN = 200

/** The states of these payments; one that was never signed has none. */
export async function sendStates(db: Executor, ids: string[]): Promise<Map<string, OpenSend['send']['state']>> {
  if (ids.length === 0) return new Map()
  const rows = await db.select({ id: chainSends.id, state: chainSends.state }).from(chainSends).where(inArray(chainSends.id, ids))
  return new Map(rows.map(({ id, state }) => [id, state]))
}

type Page = { chain?: Chain | undefined; before?: { at: Date; id: string } }

/** Everything that was signed, newest first, a page at a time. `before`: the last one of the page before. */
export async function newestSends(db: Executor, { chain, before }: Page) {
  const isOlder =
    before && sql`(${chainSends.signedAt}, ${chainSends.id}) < (${before.at.toISOString()}::timestamptz, ${before.id}::uuid)`
  const sends = await db
    .select()
    .from(chainSends)
    .where(and(chain && eq(chainSends.chain, chain), isOlder))
    .orderBy(desc(chainSends.signedAt), desc(chainSends.id))
    .limit(PAGE + 1)
  const shown = sends.slice(0, PAGE)
  const ids = shown.map(({ id }) => id)
  const attempts =
    ids.length === 0
      ? []
      : await db.select().from(chainAttempts).where(inArray(chainAttempts.sendId, ids)).orderBy(desc(chainAttempts.id))
  return {
    rows: shown.map((send) => {
      const own = attempts.filter(({ sendId }) => sendId === send.id)
      return { send, attempts: own.length, last: own.find(({ height }) => height !== null) ?? own[0] }
    }),
    hasMore: sends.length > PAGE
  }
}
const PAGE = 100
