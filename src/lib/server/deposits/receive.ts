/** From a block to the customer's balance, and back where a reorganisation removed the block. */
import { and, desc, eq, gte, isNull, lte, sql } from 'drizzle-orm'
import { type Chain, NATIVE } from '#lib/domain/chains/chains.ts'
import {
  confirmationsFor,
  type DepositNote,
  type DepositRules,
  noteOf,
  payDebts,
  takeBack
} from '#lib/domain/deposits/deposit.ts'
import { holdWithdrawals, liftHold } from '../access/index.ts'
import { type AddressRow, type BlockListener, isProven, type NewBlock, readAddressRow } from '../chains/index.ts'
import { customerAccount, house, lockedHolding, post, type Transfer } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { type DepositRow, depositDebts, deposits } from './schema.ts'
import { tellBooked, tellReverted } from './tell.ts'

export type DepositSettings = DepositRules & {
  /** The signer's public key, which every address of ours was signed with. */
  proof: string
}

const CHAINS_ACTOR = systemActor('chains')
const CREDITED_AT_ONCE = 500

export function depositListener(context: Context, settings: DepositSettings): BlockListener {
  return {
    added: (work, block) => keepDeposits(work, settings, block),
    removed: (work, chain, fromHeight) => revertDeposits(context, work, chain, fromHeight),
    grown: (chain, height) => creditDue(context, settings, chain, height)
  }
}

/** What our own addresses paid is no deposit: sweeps, top-ups and change move between wallets of the house. */
async function keepDeposits({ tx, now }: Work, settings: DepositSettings, block: NewBlock): Promise<void> {
  const found = block.payments.filter(({ isFromUs, amount }) => !isFromUs && amount > 0n)
  if (found.length === 0) return
  await tx
    .insert(deposits)
    .values(
      found.map(({ to, token, amount, transactionId, index }) => ({
        userId: to.purpose === 'deposit' ? to.userId : null,
        addressId: to.id,
        chain: block.chain,
        currency: token,
        amount,
        transactionId,
        paymentIndex: index,
        blockHash: block.hash,
        blockHeight: block.height,
        status: 'PENDING' as const,
        note: isProven(settings.proof, to) ? (to.userId ? noteOf(token, amount, settings) : null) : ('unproven' as const),
        seenAt: now
      }))
    )
    .onConflictDoNothing()
}

/** Books every deposit that has enough confirmations, each in a transaction of its own. */
async function creditDue(context: Context, settings: DepositSettings, chain: Chain, height: number): Promise<void> {
  const fewest = Math.min(...Object.values(settings.confirmations))
  const due = await context.db
    .select({ id: deposits.id, currency: deposits.currency, height: deposits.blockHeight })
    .from(deposits)
    .where(
      and(
        eq(deposits.chain, chain),
        isNull(deposits.bookedAt),
        isNull(deposits.revertedAt),
        lte(deposits.blockHeight, height - fewest + 1)
      )
    )
    .orderBy(deposits.id)
    .limit(CREDITED_AT_ONCE)
  for (const one of due) {
    if (one.height > height - confirmationsFor(one.currency, NATIVE[chain], settings) + 1) continue
    await bookDeposit(context, settings, one.id)
  }
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
    const address = await readAddressRow(tx, row.addressId)
    const note = await noteNow(context, settings, row, address)
    const isCredited = note === null
    const transfers = isCredited ? await creditTransfers(work, row) : [toHouse(row, 'suspense')]
    await post(tx, {
      reason: !isCredited ? 'deposit_kept' : row.userId ? 'deposit_credited' : 'house_funding',
      source: { type: 'deposit', id: String(row.id) },
      reference: referenceOf(row),
      actor: CHAINS_ACTOR,
      transfers,
      at: now
    })
    const status = isCredited ? 'CREDITED' : 'TX_CONFIRMED'
    await tx.update(deposits).set({ status, note, bookedAt: now }).where(eq(deposits.id, row.id))
    await tellBooked(context, work, { ...row, note }, settings)
  })
}

/** Looked at again, because the row of the address may have been changed since. */
async function noteNow(
  context: Context,
  { proof }: DepositSettings,
  row: DepositRow,
  address: AddressRow
): Promise<DepositNote | null> {
  if (isProven(proof, address)) return row.note
  context.log.error(
    { deposit: String(row.id), address: address.address },
    'a deposit came to an address that the signer did not make'
  )
  return 'unproven'
}

/** Its block is part of it: a transaction that is included again is booked anew, even in a block that was removed and came back. */
function referenceOf({ id, chain, blockHash, transactionId, paymentIndex }: DepositRow): string {
  return `deposit:${chain}:${blockHash}:${transactionId}:${paymentIndex}:${id}`
}

function toHouse({ currency, amount }: DepositRow, kind: 'suspense' | 'treasury'): Transfer {
  return { source: house('chain'), destination: house(kind), currency, amount }
}

/** To the customer, after what they owe from a deposit that was taken back. */
async function creditTransfers(work: Work, row: DepositRow): Promise<Transfer[]> {
  const { userId, currency, amount } = row
  if (!userId) return [toHouse(row, 'treasury')]
  const { tx } = work
  const open = await tx
    .select({ id: depositDebts.id, owed: depositDebts.owed, depositId: depositDebts.depositId })
    .from(depositDebts)
    .where(and(eq(depositDebts.userId, userId), eq(depositDebts.currency, currency), sql`${depositDebts.owed} > 0`))
    .orderBy(depositDebts.id)
    .for('update')
  const { debts, rest } = payDebts(amount, open)
  for (const { id, amount: paid } of debts) {
    const debt = open.find((one) => one.id === id)
    await tx
      .update(depositDebts)
      .set({ owed: sql`${depositDebts.owed} - ${paid.toString()}::numeric` })
      .where(eq(depositDebts.id, id))
    if (debt?.owed === paid) await liftHold(work, { sourceType: 'deposit', sourceId: String(debt.depositId) })
  }
  const paid = amount - rest
  const parts: [bigint, Transfer['destination']][] = [
    [paid, house('losses')],
    [rest, customerAccount(userId, 'spot')]
  ]
  return parts.flatMap(([part, destination]) =>
    part > 0n ? [{ source: house('chain'), destination, currency, amount: part }] : []
  )
}

async function revertDeposits(context: Context, work: Work, chain: Chain, fromHeight: number): Promise<void> {
  const { tx, now } = work
  const rows = await tx
    .select()
    .from(deposits)
    .where(and(eq(deposits.chain, chain), gte(deposits.blockHeight, fromHeight), isNull(deposits.revertedAt)))
    .orderBy(desc(deposits.id))
    .for('update')
  for (const row of rows) {
    const { transfers, isOwed } = row.bookedAt ? await reversal(work, row) : { transfers: [], isOwed: false }
    if (transfers.length > 0) {
      await post(tx, {
        reason: 'deposit_reverted',
        source: { type: 'deposit', id: String(row.id) },
        reference: `reverted:${referenceOf(row)}`,
        actor: CHAINS_ACTOR,
        transfers,
        at: now
      })
    }
    await tx.update(deposits).set({ status: 'PENDING', note: 'reorganised', revertedAt: now }).where(eq(deposits.id, row.id))
    if (row.bookedAt && row.status === 'CREDITED') await tellReverted(context, work, row, isOwed)
  }
}

type Reversal = { transfers: Transfer[]; isOwed: boolean }

/** What was spent already becomes a debt of the customer, and their withdrawals wait. */
async function reversal(work: Work, row: DepositRow): Promise<Reversal> {
  const { tx, now } = work
  const { userId, currency, amount } = row
  const back = (source: Transfer['source'], part: bigint): Transfer[] =>
    part > 0n ? [{ source, destination: house('chain'), currency, amount: part }] : []
  if (row.status !== 'CREDITED') return { transfers: back(house('suspense'), amount), isOwed: false }
  if (!userId) return { transfers: back(house('treasury'), amount), isOwed: false }
  const { spot, funding, missing } = takeBack(amount, await lockedHolding(tx, userId, currency))
  if (missing > 0n) {
    await tx.insert(depositDebts).values({ depositId: row.id, userId, currency, owed: missing, createdAt: now })
    await holdWithdrawals(work, { userId, reason: 'deposit_reverted', sourceType: 'deposit', sourceId: String(row.id) })
  }
  const transfers = [
    ...back(customerAccount(userId, 'spot'), spot),
    ...back(customerAccount(userId, 'funding'), funding),
    ...back(house('losses'), missing)
  ]
  return { transfers, isOwed: missing > 0n }
}
