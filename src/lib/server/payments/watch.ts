/** What the monitor asks about payments, refunds and the bank. */
import { sql } from 'drizzle-orm'
import { DECIDE_HOURS } from '#lib/domain/orders/order.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { bankDays } from './bankFiles.ts'
import { suspenseSum } from './listed.ts'
import { refundsToFile } from './refundFiles.ts'
import { undecidedPayments } from './unfit.ts'

const HOUR_MS = 3_600_000
const BANK_DAYS = 3

/** The moment that this many working days ago ended. */
function workingDaysBefore(now: Date, days: number): Date {
  const day = new Date(now)
  for (let left = days; left > 0; ) {
    day.setUTCDate(day.getUTCDate() - 1)
    if (day.getUTCDay() % 6 !== 0) left -= 1
  }
  return day
}

export async function overduePayments(db: Executor, now: Date): Promise<bigint> {
  const waiting = await undecidedPayments(db)
  return BigInt(waiting.filter(({ receivedAt }) => now.getTime() - receivedAt.getTime() > DECIDE_HOURS * HOUR_MS).length)
}

export const suspenseCents = async (db: Executor): Promise<bigint> => (await suspenseSum(db)).eurCents

async function counted(db: Executor, query: ReturnType<typeof sql>): Promise<bigint> {
  const [row] = rowsOf<{ count: number | string }>(await db.execute(query))
  return BigInt(row?.count ?? 0)
}

export async function unfiledRefunds(db: Executor, now: Date): Promise<bigint> {
  const { count, oldestAt } = await refundsToFile(db)
  return oldestAt && now.getTime() - oldestAt.getTime() > 24 * HOUR_MS ? BigInt(count) : 0n
}

export const unconfirmedRefunds = (db: Executor, now: Date): Promise<bigint> =>
  counted(
    db,
    sql`select count(*)::int as count from refunds r join refund_files f on f.id = r.file_id
      where r.confirmed_by is null and r.void_by is null and r.returned_by is null and f.sent_at < ${workingDaysBefore(now, BANK_DAYS).toISOString()}::timestamptz`
  )

export const unequalDays = async (db: Executor): Promise<bigint> =>
  BigInt((await bankDays(db)).filter(({ isEqual }) => !isEqual).length)

/** Seconds since the end of the newest day with a statement; undefined if there never was one. */
export async function statementAge(db: Executor, now: Date): Promise<bigint | undefined> {
  const [newest] = await bankDays(db)
  if (!newest) return undefined
  const end = Date.parse(`${newest.day}T00:00:00Z`) + 24 * HOUR_MS
  return BigInt(Math.max(0, Math.floor((now.getTime() - end) / 1000)))
}

export const faultyFiles = (db: Executor, now: Date): Promise<bigint> =>
  counted(
    db,
    sql`select count(*)::int as count from bank_files where received_at is null and closed_at is null and (source = 'folder' or accepted_at is not null)
      and added_at < ${new Date(now.getTime() - HOUR_MS).toISOString()}::timestamptz`
  )

/** Seconds for which the oldest decision of staff waits to be carried out. */
export async function instructionAge(db: Executor, now: Date): Promise<bigint> {
  const answer = await db.execute(sql`select min(decided_at) as at from payment_instructions where state = 'waiting'`)
  const [row] = rowsOf<{ at: string | Date | null }>(answer)
  return row?.at ? BigInt(Math.max(0, Math.floor((now.getTime() - new Date(row.at).getTime()) / 1000))) : 0n
}
