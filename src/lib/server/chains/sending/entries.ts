/** Signs planned payments within the transaction that stores their bytes: the signer's own file first, then the database. */
import { inArray } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { requireLease } from '../../platform/jobs/take.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import { chainSends, type SendPurpose } from '../schema.ts'
import { findStop } from '../stops.ts'
import { type Entry, SignerLimitError } from './journal.ts'
import { freeCoins, nextNonce, type Plan } from './plan.ts'
import type { Asked, Asking, Drawn, Outcome, Signing } from './signing.ts'
import { insertAttempts, insertSends, lockSending } from './store.ts'

/** One payment of several cannot be signed; `cause` says why. */
export class UnsignableError extends Error {
  override name = 'UnsignableError'
  readonly id: string
  constructor(id: string, cause: unknown) {
    super(`${id} cannot be signed`, { cause })
    this.id = id
  }
}

type Storing = Asking & { newestTime: Date | undefined }

/** How often other chains, which are signed at the same time, may use up a limit between its check and the write. */
const TRIES = 3

/**
 * Signs within the transaction that stores the bytes. The signer's own file is written first: if the transaction then fails,
 * `recoverSends` stores the payments from there.
 */
export async function store(context: Context, signing: Signing, storing: Storing, drawn: Drawn[]): Promise<Map<string, Outcome>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact(context, (work) => storeWithin(work, signing, storing, drawn))
    } catch (error) {
      if (!(error instanceof SignerLimitError)) throw error
      if (attempt >= TRIES) return new Map(drawn.map(({ id }) => [id, 'signer_limit']))
    }
  }
}

/** Who may be signed is decided before anything is written: the coins, the limits, the callers' rows. Then the nonces leave no gap. */
async function storeWithin(work: Work, signing: Signing, storing: Storing, drawn: Drawn[]): Promise<Map<string, Outcome>> {
  const { tx, now } = work
  const { node, journal, limits, proof, confirmations } = signing
  const results = new Map<string, Outcome>()
  const settle = (list: Drawn[], outcome: Outcome) => {
    for (const { id } of list) results.set(id, outcome)
    return results
  }
  const keep = (list: Drawn[], isKept: (one: Drawn, at: number) => boolean, otherwise: Outcome) => {
    settle(list, otherwise)
    return list.filter(isKept)
  }
  await lockSending(work, node.chain)
  // The transaction may run again after a conflict: what was signed is used again, and no other than that.
  const before = drawn.filter(({ id }) => journal.of(id).length > 0)
  const requireStored = async (list: Drawn[]) => {
    if (!(await areStored(work, list))) throw new Error('A signed payment could not be stored: the next run does')
  }
  if (await findStop(tx, node.chain, 'sending')) {
    await requireStored(before)
    return settle(drawn, 'stopped')
  }
  const [first] = drawn
  if (first?.plan.from && first.plan.nonce !== undefined) {
    const { from, nonce } = first.plan
    // Below the journal's: something was signed that the database does not have yet, and `recoverSends` stores it first.
    const isLate = before.length === 0 && nonce < journal.nextNonce(node.chain, from.address)
    if (isLate || (await nextNonce(tx, from.id)) !== nonce) {
      await requireStored(before)
      return settle(drawn, 'behind')
    }
  }
  const free = drawn.some(({ plan }) => plan.coins.length > 0) ? await freeCoins(tx, proof, confirmations.BTC) : []
  const outpoints = new Set(free.map(({ outpoint }) => outpoint))
  const there = keep(drawn, ({ plan }) => plan.coins.every(({ outpoint }) => outpoints.has(outpoint)), 'behind')
  const { purpose, newestTime } = storing
  const judged = there.map(({ payout: { to: receiver, token, amount }, cents, customer }) => {
    return { chain: node.chain, purpose, token, receiver, amount, cents, customer, attempt: 0 }
  })
  const exceeded = journal.judge(judged, limits, now, newestTime)
  const within =
    before.length > 0
      ? keep(there, (one) => before.includes(one), 'behind')
      : keep(there, (_, at) => exceeded[at] === undefined, 'signer_limit')
  const ids = within.map(({ id }) => id)
  const claimed = new Set(ids.length > 0 ? await storing.claim(work, ids) : [])
  await requireStored(before.filter(({ id }) => !claimed.has(id)))
  const signed = keep(within, ({ id }) => claimed.has(id), 'gone')
  const numbered = signed.map(({ plan, ...one }, at) => ({
    ...one,
    plan: plan.nonce === undefined ? plan : { ...plan, nonce: plan.nonce + BigInt(at) }
  }))
  await requireLease(tx)
  const entries = await signEntries(signing, { purpose, newestTime, attempt: 0, at: now }, numbered)
  await insertSends(work, entries)
  await insertAttempts(work, entries)
  return settle(signed, 'signed')
}

/** True if the database has these payments: another signer with the same journal was quicker. */
async function areStored({ tx }: Work, payments: Drawn[]): Promise<boolean> {
  if (payments.length === 0) return true
  const ids = payments.map(({ id }) => id)
  const stored = await tx.select({ id: chainSends.id }).from(chainSends).where(inArray(chainSends.id, ids))
  return stored.length === ids.length
}

type Attempted = { purpose: SendPurpose; newestTime: Date | undefined; attempt: number; at: Date }
type Numbered = Pick<Asked, 'id' | 'mostFee' | 'cents'> & { customer?: string | undefined; plan: Plan }

/**
 * Signs one attempt of each payment, and writes all of them into the signer's own file; the caller stores them in the database. Throws
 * `UnsignableError` or `SignerLimitError` before anything is written.
 */
async function signEntries(
  { node, sign, journal, limits }: Signing,
  { purpose, newestTime, attempt, at }: Attempted,
  payments: Numbered[]
): Promise<Entry[]> {
  const known = payments.map(({ id }) => journal.of(id)[attempt])
  const made: Entry[] = []
  for (const [index, { id, mostFee, cents, customer, plan }] of payments.entries()) {
    if (known[index]) continue
    const {
      transactionId,
      bytes,
      expiresAt = null
    } = await sign(plan).catch((error: unknown) => {
      throw new UnsignableError(id, error)
    })
    // Two payments of CPC of one second may have the same bytes: the chain would carry out one of them.
    if (journal.has(transactionId) || made.some((one) => one.transactionId === transactionId))
      throw new UnsignableError(id, new Error(`The bytes of ${transactionId} were signed for another payment`))
    const { to: receiver, token, amount } = plan.payout
    made.push({
      sendId: id,
      attempt,
      chain: node.chain,
      purpose,
      token,
      receiver,
      amount,
      mostFee,
      from: plan.from?.address ?? null,
      nonce: plan.nonce ?? null,
      price: plan.price.most,
      tip: plan.price.tip,
      networkFee: plan.networkFee,
      expiresAt,
      outpoints: plan.coins.map(({ outpoint }) => outpoint),
      transactionId,
      bytes,
      cents,
      customer,
      at
    })
  }
  journal.write(made, limits, newestTime)
  const fresh = new Map(made.map((entry) => [entry.sendId, entry]))
  return payments.map(({ id }, index) => {
    const entry = known[index] ?? fresh.get(id)
    if (!entry) throw new Error('A signed payment has no entry')
    return entry
  })
}

/** The same for one attempt. */
export async function signEntry(
  signing: Signing,
  { purpose, newestTime, attempt, at, ...asked }: Attempted & Omit<Numbered, 'plan'>,
  plan: Plan
): Promise<Entry> {
  const [entry] = await signEntries(signing, { purpose, newestTime, attempt, at }, [{ ...asked, plan }])
  if (!entry) throw new Error('A signed payment has no entry')
  return entry
}
