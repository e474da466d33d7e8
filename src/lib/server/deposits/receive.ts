/** Credits deposits to customers, and takes them back if a reorganisation removes their block. */
import { and, eq, gt, isNull, lte, notInArray, or } from 'drizzle-orm'
import { type Chain, type ChainToken, chainOf, DEPOSITABLE, NATIVE } from '#lib/domain/chains/chains.ts'
import { type DepositNote, type DepositRules, keptPayments, noteOf } from '#lib/domain/deposits/deposit.ts'
import {
  type AddressRow,
  type BlockListener,
  findStop,
  isProven,
  type NewBlock,
  ROWS_AT_ONCE,
  readAddressRow
} from '../chains/index.ts'
import { type Account, house, post, type Transfer } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { worthOn } from '../rates/index.ts'
import { placeOf, referenceOf } from './booking.ts'
import { creditMany } from './credit.ts'
import { paidTo } from './debts.ts'
import { tellBooked } from './mails.ts'
import { revertDeposits } from './revert.ts'
import { type DepositRow, deposits } from './schema.ts'
import { creditTogether } from './small.ts'
import { endSurplus } from './surplus.ts'

export type DepositSettings = DepositRules & {
  /** The signer's public key, which verifies the signatures of our addresses. */
  proof: string
}

const CHAINS_ACTOR = systemActor('chains')
const CREDITED_AT_ONCE = 500
/** So many share a transaction, and hold the accounts of their customers as long. */
const TOGETHER = 100

export function depositListener(context: Context, settings: DepositSettings): BlockListener {
  return {
    added: (work, block) => keepDeposits(work, settings, block),
    removed: (work, chain, fromHeight) => revertDeposits(context, work, settings, { chain, fromHeight }),
    grown: (chain, height) => creditDue(context, settings, chain, height)
  }
}

/** A payment that one of our own sends asked for is not a deposit: it is a sweep, a top-up or change. */
async function keepDeposits({ tx, now }: Work, settings: DepositSettings, block: NewBlock): Promise<void> {
  const found = keptPayments(block.payments.filter(({ isFromUs }) => !isFromUs))
  for (let from = 0; from < found.length; from += ROWS_AT_ONCE) {
    await tx
      .insert(deposits)
      .values(
        found.slice(from, from + ROWS_AT_ONCE).map(({ to, token, amount, transactionId, index, maturesAt = null }) => ({
          userId: to.purpose === 'deposit' ? to.userId : null,
          addressId: to.id,
          chain: block.chain,
          currency: token,
          amount,
          transactionId,
          paymentIndex: index,
          blockHash: block.hash,
          blockHeight: block.height,
          maturesAt,
          status: 'PENDING' as const,
          note: firstNote(settings, to, token, amount),
          seenAt: now
        }))
      )
      .onConflictDoNothing()
  }
}

function firstNote(settings: DepositSettings, to: AddressRow, token: string, amount: bigint): DepositNote | null {
  if (!isProven(settings.proof, to)) return 'unproven'
  if (to.purpose !== 'deposit') return null
  return to.userId ? noteOf(token, amount, settings) : 'unassigned'
}

/**
 * Books every deposit that has enough confirmations: the usual ones many at a time, all others in a transaction of their own. One that fails
 * does not hold up the others; the job fails at the end, and is tried again.
 */
async function creditDue(context: Context, settings: DepositSettings, chain: Chain, height: number): Promise<void> {
  let last = 0n
  let failed: unknown
  for (;;) {
    const due = await dueDeposits(context, settings, { chain, height, after: last })
    last = due.at(-1)?.id ?? last
    for (let from = 0; from < due.length; from += TOGETHER) {
      const ids = due.slice(from, from + TOGETHER).map(({ id }) => id)
      for (const id of await creditMany(context, settings, chain, ids))
        await bookDeposit(context, settings, id).catch((error: unknown) => {
          context.log.error({ deposit: String(id), err: error }, 'a deposit was not booked')
          failed = error
        })
    }
    if (due.length < CREDITED_AT_ONCE) break
  }
  if (failed) throw failed
}

async function dueDeposits(context: Context, settings: DepositSettings, asked: { chain: Chain; height: number; after: bigint }) {
  const { chain, height, after } = asked
  const needed = (token: ChainToken) => height + 1 - settings.confirmations[token]
  const known = DEPOSITABLE.filter((token) => chainOf(token) === chain)
  const isDeep = known.map((token) => and(eq(deposits.currency, token), lte(deposits.blockHeight, needed(token))))
  const isOther = and(notInArray(deposits.currency, known), lte(deposits.blockHeight, needed(NATIVE[chain])))
  return context.db
    .select({ id: deposits.id })
    .from(deposits)
    .where(
      and(
        eq(deposits.chain, chain),
        isNull(deposits.bookedAt),
        isNull(deposits.revertedAt),
        gt(deposits.id, after),
        or(isNull(deposits.maturesAt), lte(deposits.maturesAt, height)),
        or(...isDeep, isOther)
      )
    )
    .orderBy(deposits.id)
    .limit(CREDITED_AT_ONCE)
}

/** Books a deposit, once. */
async function bookDeposit(context: Context, settings: DepositSettings, id: bigint): Promise<void> {
  await transact(context, async (work) => {
    const { tx, now } = work
    const [row] = await tx
      .select()
      .from(deposits)
      .where(and(eq(deposits.id, id), isNull(deposits.bookedAt), isNull(deposits.revertedAt)))
      .for('update')
    if (!row) return
    // Nothing is booked on a stopped chain.
    if (await findStop(tx, row.chain)) return
    const address = await readAddressRow(tx, row.addressId)
    const surplus = await endSurplus(work, row)
    const note = (await noteNow(context, settings, row, address)) ?? (surplus.decided === row.amount ? 'decided' : null)
    const isCredited = note === null
    const place = placeOf(address)
    const rest = { ...row, amount: row.amount - surplus.decided }
    const again = surplus.decided > 0n ? [toHouse({ ...row, amount: surplus.decided }, 'suspense', place)] : []
    const arrived = isCredited ? [...again, ...(await creditTransfers(work, rest, place))] : [toHouse(row, 'suspense', place)]
    const transfers = [...surplus.transfers, ...arrived]
    await post(tx, {
      reason: !isCredited ? 'deposit_kept' : row.userId ? 'deposit_credited' : 'house_funding',
      source: { type: 'deposit', id: String(row.id) },
      reference: referenceOf(row),
      actor: CHAINS_ACTOR,
      transfers,
      at: now
    })
    const status = isCredited ? 'CREDITED' : 'TX_CONFIRMED'
    const worth = isCredited ? await worthOn(tx, now, row.currency, row.amount) : undefined
    await tx
      .update(deposits)
      .set({ status, note, bookedAt: now, euroCents: worth?.euroCents ?? null })
      .where(eq(deposits.id, row.id))
    if (note === 'small' && (await creditTogether(context, work, settings, row))) return
    await tellBooked(context, work, { ...row, note }, settings)
  })
}

/** The signature is checked again, because the row of the address may have been changed since. */
async function noteNow(
  context: Context,
  { proof }: DepositSettings,
  row: DepositRow,
  address: AddressRow
): Promise<DepositNote | null> {
  if (row.note === 'unassigned')
    context.log.error(
      { deposit: String(row.id), address: address.address },
      'a deposit came to an address that was given to nobody'
    )
  if (isProven(proof, address)) return row.note
  context.log.error(
    { deposit: String(row.id), address: address.address },
    'a deposit came to an address that the signer did not make'
  )
  return 'unproven'
}

function toHouse({ currency, amount }: DepositRow, kind: 'suspense' | 'treasury', source: Account): Transfer {
  return { source, destination: house(kind), currency, amount }
}

function creditTransfers(work: Work, row: DepositRow, place: Account): Promise<Transfer[]> | Transfer[] {
  const { userId, currency, amount } = row
  return userId ? paidTo(work, place, { userId, currency, amount }) : [toHouse(row, 'treasury', place)]
}
