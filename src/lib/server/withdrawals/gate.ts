/** The checks that a customer must pass to withdraw. */
import { and, eq, gt, inArray, type SQLWrapper, sql } from 'drizzle-orm'
import { segwitOfSameKey } from '#lib/domain/chains/address.ts'
import type { Chain } from '#lib/domain/chains/chains.ts'
import { dayLimit } from '#lib/domain/withdrawals/limit.ts'
import { counts, MOST_OPEN, statusOf, WITHDRAWAL_STATES, type WithdrawalLimits } from '#lib/domain/withdrawals/withdrawal.ts'
import { type GateRow, gateReader, gateSql, type User, users } from '../access/index.ts'
import { addressesAmong } from '../chains/index.ts'
import { isUndeclared, undeclaredSql } from '../deposits/index.ts'
import { verifiedSql } from '../identity/index.ts'
import { builtOnce } from '../platform/db/builtOnce.ts'
import type { Executor } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import type { Rates, Worth } from '../rates/index.ts'
import { type withdrawalAddresses, withdrawalLimits, withdrawals, withdrawalWhitelists } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'

const DAY_MS = 24 * 3_600_000

/** The gate, and the deposits without details of their sender, as columns of another query on the customer. */
export const gateFacts = (userId: SQLWrapper | string, now: Date) => ({
  gate: gateSql(userId, verifiedSql(userId), now.toISOString()),
  undeclared: undeclaredSql(userId)
})

type GateFacts = { gate: GateRow; undeclared: Parameters<typeof isUndeclared>[2] }

/** Whether the customer may withdraw at all: lock, hold, 24 hours' rest, identity check. */
export const gateOf = gateReader(verifiedSql)

/**
 * Throws `account_locked`, `withdrawals_held`, `withdrawals_resting` or `kyc_required`; and `deposit_details_required` while the sender
 * of a large deposit of this token is not declared: coins of unknown origin stop, the customer's other tokens move on.
 */
export async function requireOpenGate(db: Executor, rates: Rates, user: User, token: string, now: Date): Promise<void> {
  const [facts] = await db.select(gateFacts(user.id, now)).from(users).where(eq(users.id, user.id))
  if (!facts) throw new Error('There is no such customer')
  checkGate(rates, token, facts)
}

/** The same, for columns of `gateFacts` that were read already. */
export function checkGate(rates: Rates, token: string, { gate: { reason, until }, undeclared }: GateFacts): void {
  if (reason === null && !isUndeclared(rates, token, undeclared)) return
  if (reason === null) throw new AppError('deposit_details_required')
  if (reason === 'locked') throw new AppError('account_locked')
  if (reason === 'held') throw new AppError('withdrawals_held')
  if (reason === 'resting')
    throw new AppError('withdrawals_resting', { params: { until: until ? new Date(until).toISOString() : '' } })
  throw new AppError('kyc_required')
}

const COUNTED = WITHDRAWAL_STATES.filter(counts)

/** What the customer has requested in the last 24 hours, without what was cancelled or rejected. Withdrawals of one day are linked, so that
 * large ones cannot be split to leave the receiver unnamed. */
export async function sumsOfDay(db: Executor, userId: string, now: Date): Promise<Worth> {
  const since = new Date(now.getTime() - DAY_MS)
  const [row] = await sums(db).execute({ user: userId, since })
  return { usdCents: BigInt(row?.usd ?? 0), euroCents: BigInt(row?.euro ?? 0) }
}

const sumsQuery = (db: Executor) =>
  db
    .select({
      usd: sql<string>`coalesce(sum(${withdrawals.usdCents}), 0)::text`.as('usd'),
      euro: sql<string>`coalesce(sum(${withdrawals.euroCents}), 0)::text`.as('euro')
    })
    .from(withdrawals)
    .where(
      and(
        eq(withdrawals.userId, sql.placeholder('user')),
        gt(withdrawals.requestedAt, sql.placeholder('since')),
        inArray(withdrawals.state, COUNTED)
      )
    )

const sums = builtOnce((db) => sumsQuery(db).prepare('withdrawals_of_day'))

/** The sums of a day, the whitelist and the raised limit, which a page asks for together. */
const bounds = builtOnce((db) => {
  const ofDay = sumsQuery(db).as('of_day')
  const { isOn, endsAt } = withdrawalWhitelists
  const user = sql.placeholder('user')
  return db
    .select({
      usd: ofDay.usd,
      euro: ofDay.euro,
      whitelist: { isOn, endsAt },
      raised: { dayCents: withdrawalLimits.dayCents, endsAt: withdrawalLimits.endsAt }
    })
    .from(ofDay)
    .leftJoin(withdrawalWhitelists, eq(withdrawalWhitelists.userId, user))
    .leftJoin(withdrawalLimits, eq(withdrawalLimits.userId, user))
    .prepare('withdrawal_bounds')
})

/** `sumsOfDay`, `whitelistOf` and `dayLimitOf` in one statement. */
export async function boundsOf(db: Executor, userId: string, limits: WithdrawalLimits, now: Date) {
  const [row] = await bounds(db).execute({ user: userId, since: new Date(now.getTime() - DAY_MS) })
  return {
    usedCents: BigInt(row?.usd ?? 0),
    euroCents: BigInt(row?.euro ?? 0),
    whitelist: whitelistAt(row?.whitelist, now),
    dayCents: dayLimit(limits, row?.raised ?? undefined, now)
  }
}

const OPEN = WITHDRAWAL_STATES.filter((state) => statusOf(state) === 'PENDING')

/** Throws `withdrawals_open`. Each open withdrawal is checked again and again, so their number is limited. */
export async function requireFewOpen(db: Executor, userId: string): Promise<void> {
  const open = await db
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(and(eq(withdrawals.userId, userId), inArray(withdrawals.state, OPEN)))
    .limit(MOST_OPEN)
  if (open.length >= MOST_OPEN) throw new AppError('withdrawals_open', { params: { most: MOST_OPEN } })
}

/**
 * Throws `withdrawal_limit` with what is left, in dollars. Needs the lock of the customer's row, so that two requests at once take turns.
 */
export async function requireWithinLimit(
  db: Executor,
  dayCents: bigint,
  asked: { userId: string; cents: bigint; now: Date }
): Promise<void> {
  const left = dayCents - (await sumsOfDay(db, asked.userId, asked.now)).usdCents
  if (asked.cents > left)
    throw new AppError('withdrawal_limit', { params: { left: dollars(left > 0n ? left : 0n), limit: dollars(dayCents) } })
}

/** `$10,000.00`. */
export function dollars(cents: bigint): string {
  const text = cents.toString().padStart(3, '0')
  return `$${text.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${text.slice(-2)}`
}

/**
 * Throws `invalid_fields` for the customer's own address or one of the house, in any spelling, and for a token's contract. The signer checks it
 * again. The address of another customer is an address like any other: a refusal would tell whose addresses we give out.
 */
export async function refuseOurs(
  db: Executor,
  { chain, address, userId }: { chain: Chain; address: string; userId: string },
  { contracts, networks }: Pick<WithdrawalSettings, 'contracts' | 'networks'>
): Promise<void> {
  const other = chain === 'bitcoin' ? segwitOfSameKey(address, networks) : undefined
  const ours = await addressesAmong(db, chain, other ? [address, other] : [address])
  if (ours.some((one) => one.userId === null || one.userId === userId))
    throw new AppError('invalid_fields', { fields: { address: 'address_ours' } })
  if (contracts.some((contract) => contract.toLowerCase() === address.toLowerCase()))
    throw new AppError('invalid_fields', { fields: { address: 'address_token' } })
}

type AddressRow = typeof withdrawalAddresses.$inferSelect

const whitelist = builtOnce((db) =>
  db
    .select()
    .from(withdrawalWhitelists)
    .where(eq(withdrawalWhitelists.userId, sql.placeholder('user')))
    .prepare('withdrawal_whitelist')
)

export async function whitelistOf(db: Executor, userId: string, now: Date) {
  const [row] = await whitelist(db).execute({ user: userId })
  return whitelistAt(row, now)
}

function whitelistAt(row: { isOn: boolean; endsAt: Date | null } | null | undefined, now: Date) {
  const isOn = row?.isOn === true && (row.endsAt === null || row.endsAt > now)
  return { isOn, endsAt: isOn ? row.endsAt : null }
}

/** Throws `invalid_fields` if the whitelist is on and the address is not on it, or still rests for its 24 hours. */
export async function requireListed(db: Executor, userId: string, address: AddressRow | undefined, now: Date): Promise<void> {
  if (!(await whitelistOf(db, userId, now)).isOn) return
  if (!address?.listedFrom) throw new AppError('invalid_fields', { fields: { address: 'address_not_listed' } })
  if (address.listedFrom > now) throw new AppError('invalid_fields', { fields: { address: 'address_resting' } })
}
