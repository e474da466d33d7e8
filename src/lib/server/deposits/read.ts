import { and, desc, eq, isNotNull, isNull, ne, notExists, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Answer } from '#lib/contract/types.ts'
import { type Chain, chainOf, isChainToken, NATIVE, NETWORKS } from '#lib/domain/chains/chains.ts'
import { confirmationsAt, confirmationsFor, countsAsSmall } from '#lib/domain/deposits/deposit.ts'
import { type AddressRow, chainAddresses, giveAddress, newestHeights } from '../chains/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { builtOnce } from '../platform/db/builtOnce.ts'
import type { Executor } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import type { DepositSettings } from './receive.ts'
import { type DepositRow, deposits } from './schema.ts'
import { missingAt } from './waiting.ts'

const again = alias(deposits, 'again')

type Page = { page: number; size: number }
type Deposit = Answer<'listDeposits'>[number]

/** The customer's deposits, newest first. A deposit whose block was removed is left out once its payment is in a block again. */
export async function listDeposits(
  { db }: Context,
  settings: DepositSettings,
  { userId }: Customer,
  { page, size }: Page
): Promise<Deposit[]> {
  const rows = await listed(db).execute({ user: userId, size, offset: (page - 1) * size })
  const heights = rows.length > 0 ? await newestHeights(db) : {}
  const missing = await missingOf(
    db,
    settings,
    rows.map(({ deposit }) => deposit)
  )
  return rows.map(({ deposit, address }) => {
    return { ...present(deposit, address, heights, settings), missing: missing.get(placeKey(deposit))?.toString() ?? null }
  })
}

const listed = builtOnce((db) => {
  const isIncludedAgain = db
    .select({ id: again.id })
    .from(again)
    .where(
      and(
        eq(again.chain, deposits.chain),
        eq(again.transactionId, deposits.transactionId),
        eq(again.paymentIndex, deposits.paymentIndex),
        sql`${again.id} > ${deposits.id}`
      )
    )
  return db
    .select({ deposit: deposits, address: chainAddresses.address })
    .from(deposits)
    .innerJoin(chainAddresses, eq(chainAddresses.id, deposits.addressId))
    .where(and(eq(deposits.userId, sql.placeholder('user')), or(isNull(deposits.revertedAt), notExists(isIncludedAgain))))
    .orderBy(desc(deposits.id))
    .limit(sql.placeholder('size'))
    .offset(sql.placeholder('offset'))
    .prepare('deposits_listed')
})

/** Small deposits that count, by address and token; the key of all others is empty. */
const placeKey = ({ note, addressId, currency, amount }: DepositRow) =>
  note === 'small' && countsAsSmall(currency, amount) ? `${addressId} ${currency}` : ''

async function missingOf(db: Executor, settings: DepositSettings, rows: DepositRow[]): Promise<Map<string, bigint>> {
  const places = new Map(rows.map((row) => [placeKey(row), row]))
  places.delete('')
  const found = new Map<string, bigint>()
  for (const [key, row] of places) found.set(key, (await missingAt(db, settings, row)) ?? 0n)
  return found
}

type Shown = Omit<Deposit, 'missing'>

function present(row: DepositRow, address: string, heights: Partial<Record<Chain, number>>, settings: DepositSettings): Shown {
  const { chain, transactionId, note } = row
  const needed =
    row.maturesAt === null
      ? confirmationsFor(row.currency, NATIVE[chain], settings)
      : confirmationsAt(row.maturesAt, row.blockHeight)
  const newest = heights[chain] ?? row.blockHeight
  return {
    id: String(row.id),
    blockchain: NETWORKS[chain],
    currency: row.currency,
    amount: row.amount.toString(),
    ...(chain === 'ethereum' ? { transactionHash: transactionId } : { txId: transactionId }),
    receiver: address,
    ...(chain === 'cpc' ? { accountRs: address } : {}),
    ...(chain === 'bitcoin' ? { p2wpkh_address: address } : {}),
    status: row.status,
    note,
    confirmations: row.revertedAt ? 0 : Math.min(needed, confirmationsAt(newest, row.blockHeight)),
    confirmationsNeeded: needed,
    createdAt: row.seenAt.toISOString(),
    creditedAt: row.status === 'CREDITED' ? (row.bookedAt?.toISOString() ?? null) : null
  }
}

/** The address that the customer sends a token to. Throws `currency_unsupported`, and what `giveAddress` throws. */
export async function depositAddress(
  context: Context,
  settings: DepositSettings,
  { userId }: Customer,
  { currency, isNew }: { currency: string; isNew: boolean }
): Promise<Answer<'giveDepositAddress'>> {
  if (!isChainToken(currency)) throw new AppError('currency_unsupported')
  return presentAddress(await giveAddress(context, settings.proof, { userId, chain: chainOf(currency), isNew }))
}

function presentAddress({ chain, address, accountId, publicKey }: AddressRow): Answer<'giveDepositAddress'> {
  return { blockchain: NETWORKS[chain], address, accountId, publicKey }
}

/** The smallest amount and the confirmations that a deposit of each token needs. */
export async function depositRules({ smallest, confirmations }: DepositSettings): Promise<Answer<'getDepositRules'>> {
  const texts = Object.entries(smallest).map(([token, amount]) => [token, amount.toString()])
  return { smallest: Object.fromEntries(texts), confirmations }
}

/**
 * The amount that has arrived at our addresses and is not booked yet, less what was booked of payments to addresses without the signer's
 * signature: nobody counts the coins there, since the signer may not have their keys.
 */
export async function arrivingOf(db: Executor, currency: string): Promise<bigint> {
  const isUnproven = eq(deposits.note, 'unproven')
  const ofCurrency = and(eq(deposits.currency, currency), isNull(deposits.revertedAt))
  const sumOf = async (which: SQL | undefined) => {
    const sum = sql<string>`coalesce(sum(${deposits.amount}), 0)::text`
    const [row] = await db.select({ sum }).from(deposits).where(and(ofCurrency, which))
    return BigInt(row?.sum ?? 0)
  }
  const pending = await sumOf(and(isNull(deposits.bookedAt), or(isNull(deposits.note), ne(deposits.note, 'unproven'))))
  return pending - (await sumOf(and(isNotNull(deposits.bookedAt), isUnproven)))
}
