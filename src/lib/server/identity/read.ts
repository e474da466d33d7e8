import { and, desc, eq, type SQLWrapper, sql } from 'drizzle-orm'
import type { KycData } from '#lib/contract/types.ts'
import type { PartyDetails, SaidDetails } from '#lib/domain/chains/parties.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { builtOnce } from '../platform/db/builtOnce.ts'
import type { Executor } from '../platform/db/client.ts'
import { anyOf } from '../platform/db/columns.ts'
import { AppError } from '../platform/errors.ts'
import { countryName } from './country.ts'
import { type IdentityInfo, identityChecks, identityEvents } from './schema.ts'

/** The status of the customer's identity check; null if none was begun. */
export function readIdentityData({ db }: Pick<Context, 'db'>, { userId }: Pick<Customer, 'userId'>): Promise<KycData> {
  return readIdentityOf(db, userId)
}

const checkOf = builtOnce((db) =>
  db
    .select()
    .from(identityChecks)
    .where(eq(identityChecks.userId, sql.placeholder('user')))
    .prepare('identity_check')
)

export async function readIdentityOf(db: Executor, userId: string): Promise<KycData> {
  const [check] = await checkOf(db).execute({ user: userId })
  if (!check) return null
  return {
    id: check.applicantId,
    review: { reviewStatus: check.reviewStatus },
    ...(check.info &&
      check.reviewStatus === 'completed' && {
        info: { ...check.info, ...(check.info.country && { countryName: countryName(check.info.country) }) }
      })
  }
}

/** SQL for use in another query: true if the customer's identity check is completed. */
export const verifiedSql = (userId: SQLWrapper | string) => sql<boolean>`identity_verified(${userId}::uuid)`

export async function isVerifiedCustomer(db: Executor, userId: string): Promise<boolean> {
  const [check] = await db
    .select({ reviewStatus: identityChecks.reviewStatus })
    .from(identityChecks)
    .where(eq(identityChecks.userId, userId))
  return check?.reviewStatus === 'completed'
}

/** Returns the customers, among those given, whose identity check is not completed. */
export async function unverifiedAmong(db: Executor, userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return []
  const verified = await db
    .select({ userId: identityChecks.userId })
    .from(identityChecks)
    .where(and(anyOf(identityChecks.userId, userIds), eq(identityChecks.reviewStatus, 'completed')))
  const known = new Set(verified.map(({ userId }) => userId))
  return userIds.filter((id) => !known.has(id))
}

/** Throws `kyc_required` if the customer's identity check is not completed. */
export async function requireVerified(db: Executor, customer: Pick<Customer, 'userId'>): Promise<void> {
  if (!(await isVerifiedCustomer(db, customer.userId))) throw new AppError('kyc_required')
}

/**
 * The details to keep about a sender or receiver: of the customer the name of the identity check, as it is on the document, whatever was
 * sent. Throws `kyc_required` for a customer without a completed check, and `invalid_fields` (details) where no name is known.
 */
export async function partyDetailsOf(db: Executor, userId: string, said: SaidDetails): Promise<PartyDetails> {
  const { party, address, service } = said
  const rest = { ...(party === 'other' && address && { address }), ...(service && { service }) }
  if (party === 'other') return { party, name: said.name ?? '', ...rest }
  const [check] = await db.select().from(identityChecks).where(eq(identityChecks.userId, userId))
  if (check?.reviewStatus !== 'completed') throw new AppError('kyc_required')
  const verified = [check.info?.firstName, check.info?.lastName].filter(Boolean).join(' ').trim()
  const name = verified || said.name
  if (!name) throw new AppError('invalid_fields', { fields: { details: 'details_required' } })
  return { party, name, ...rest }
}

/** The name and birth date of a check, so that two spellings of one name are equal; undefined if one of them is missing. */
function personOf(info: IdentityInfo | null | undefined): string | undefined {
  if (!info?.firstName || !info.lastName || !info.dob) return undefined
  const plain = (name: string) =>
    name
      .normalize('NFKD')
      .replace(/[^\p{L}]/gu, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      // As passports write ä, ö and ü.
      .replace(/([aou])e/g, '$1')
  const [given = ''] = info.firstName.trim().split(/[\s-]+/)
  return `${plain(given)} ${plain(info.lastName)} ${info.dob}`
}

/**
 * Those of `others` whose identity check names the same person as this customer's: the first of the given names, the family name and the birth
 * date. A check that was completed once counts, also while it is done again.
 */
export async function samePeople(db: Executor, userId: string, others: string[]): Promise<string[]> {
  if (others.length === 0) return []
  const checks = await db
    .select({ userId: identityChecks.userId, info: identityChecks.info })
    .from(identityChecks)
    .where(anyOf(identityChecks.userId, [userId, ...others]))
  const people = new Map(checks.map((check) => [check.userId, personOf(check.info)]))
  const own = people.get(userId)
  return others.filter((id) => own !== undefined && people.get(id) === own)
}

/** What the provider of the check has told about a customer, the newest first. */
export function identityHistory(db: Executor, userId: string): Promise<{ at: Date; type: string }[]> {
  return db
    .select({ at: identityEvents.receivedAt, type: identityEvents.type })
    .from(identityEvents)
    .where(and(eq(identityEvents.userId, userId), eq(identityEvents.outcome, 'applied')))
    .orderBy(desc(identityEvents.receivedAt))
    .limit(20)
}
