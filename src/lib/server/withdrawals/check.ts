/** The signer's own checks of a withdrawal, whatever the database says. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { readAddress } from '#lib/domain/chains/address.ts'
import { chainOf } from '#lib/domain/chains/chains.ts'
import {
  smallestWithdrawal,
  statusOf,
  type WaitReason,
  WITHDRAWAL_FEES,
  WITHDRAWAL_STATES
} from '#lib/domain/withdrawals/withdrawal.ts'
import { users } from '../access/index.ts'
import { bookedUnder, holdingsOf } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import { isDatabaseLost } from '../platform/db/faults.ts'
import { AppError } from '../platform/errors.ts'
import { withdrawalWaits } from '../screening/index.ts'
import { gateOf, refuseOurs, requireListed, sumsOfDay } from './gate.ts'
import { type WithdrawalRow, withdrawalAddresses, withdrawals } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'
import { partsOf } from './transfers.ts'

/** Why the signer refuses a withdrawal, by its own checks; undefined if it may be signed. */
export async function refusalOf(
  { db, clock, log }: Context,
  settings: WithdrawalSettings,
  row: WithdrawalRow
): Promise<WaitReason | undefined> {
  const now = clock()
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.id, row.userId))
  const [address] = await db.select().from(withdrawalAddresses).where(eq(withdrawalAddresses.id, row.addressId))
  if (!user || !(await gateOf(db, user.id, now)).allowed) return 'gate'
  const { usdCents: ofDay } = await sumsOfDay(db, user.id, now)
  const cents = ofDay > row.usdCents ? ofDay : row.usdCents
  if (await withdrawalWaits(db, { userId: user.id, cents, now })) return 'gate'
  const read = readAddress(row.chain, row.receiver, settings.networks)
  const isRight =
    chainOf(row.currency) === row.chain &&
    !read.fault &&
    read.address === row.receiver &&
    address?.address === row.receiver &&
    address.userId === row.userId &&
    row.fee === WITHDRAWAL_FEES[row.currency] &&
    row.amount >= smallestWithdrawal(row.currency) &&
    row.fromSpot + row.fromFunding === row.amount &&
    (await isPaidFor(db, row)) &&
    (await isForeign(db, row, settings))
  if (!isRight) {
    log.error({ withdrawal: row.id }, 'the signer refuses a withdrawal: its facts do not agree')
    return 'checked'
  }
  // The customer removed the address in the meantime: it must be confirmed by mail again.
  if (address.confirmedAt === null) return 'gate'
  const listed = await requireListed(db, row.userId, address, now).then(
    () => true,
    (error: unknown) => {
      if (isDatabaseLost(error)) throw error
      return false
    }
  )
  return listed ? undefined : 'gate'
}

/** True if its amount was booked from its customer to `outgoing`, and neither given back nor paid. */
async function isPaidFor(db: Context['db'], row: WithdrawalRow): Promise<boolean> {
  const reference = `withdrawal:${row.id}`
  const [requested, back, paid] = await Promise.all([
    bookedUnder(db, reference),
    bookedUnder(db, `${reference}:back`),
    bookedUnder(db, `${reference}:paid`)
  ])
  const text = (source: string, destination: string, currency: string, amount: bigint) =>
    `${source} > ${destination} ${amount} ${currency}`
  const expected = partsOf(row, false).map(({ source, destination, currency, amount }) =>
    text(`${source.owner} ${source.kind}`, `${destination.owner} ${destination.kind}`, currency, amount)
  )
  const found = requested.map(({ source, destination, currency, amount }) => text(source, destination, currency, amount))
  const isBooked = back.length === 0 && paid.length === 0 && expected.toSorted().join() === found.toSorted().join()
  return isBooked && (await isCovered(db, row))
}

/** True if what the customer has in `outgoing` pays all of their withdrawals under way: it may have been booked away since. */
async function isCovered(db: Context['db'], { userId, currency }: WithdrawalRow): Promise<boolean> {
  const [open] = await db
    .select({ sum: sql<string>`coalesce(sum(${withdrawals.amount}), 0)::text` })
    .from(withdrawals)
    .where(and(eq(withdrawals.userId, userId), eq(withdrawals.currency, currency), inArray(withdrawals.state, UNDER_WAY)))
  return ((await holdingsOf(db, userId)).get(currency)?.outgoing ?? 0n) >= BigInt(open?.sum ?? 0)
}
const UNDER_WAY = WITHDRAWAL_STATES.filter((state) => statusOf(state) === 'PENDING')

async function isForeign(
  db: Context['db'],
  { chain, receiver, userId }: WithdrawalRow,
  settings: WithdrawalSettings
): Promise<boolean> {
  try {
    await refuseOurs(db, { chain, address: receiver, userId }, settings)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
