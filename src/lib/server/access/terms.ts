/** Which versions of our terms a customer has accepted, and which of them have changed since. */
import { sql } from 'drizzle-orm'
import type { Profile } from '#lib/contract/types.ts'
import { ACCOUNT_TERMS, changedTerms, type TermsVersions } from '#lib/domain/legal/terms.ts'
import { currentTerms, legalText } from '../legal/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { termsAcceptances, users } from './schema.ts'

/** The current versions of the terms shown beside the sign-up button. */
export const accountTerms = (): TermsVersions => currentTerms(ACCOUNT_TERMS)

export async function keepAcceptance({ tx, now }: Work, userId: string, accepted: TermsVersions): Promise<void> {
  const rows = Object.entries(accepted).map(([document, version]) => ({ userId, document, version, acceptedAt: now }))
  if (rows.length > 0) await tx.insert(termsAcceptances).values(rows).onConflictDoNothing()
}

type Accepted = { document: string; version: string }[] | null

/** What a customer has accepted, as a column of a query on users; `termsToAccept` reads it. */
export const ACCEPTED = sql<Accepted>`(
  select json_agg(json_build_object('document', t.document, 'version', t.version))
  from terms_acceptances t where t.user_id = users.id)`

/** The texts that a customer has to accept: new versions, and texts never accepted. */
export function termsToAccept(accepted: Accepted): Profile['termsToAccept'] {
  const known = new Set(accepted?.map(({ document, version }) => `${document} ${version}`))
  return changedTerms(accountTerms(), known).map(legalText)
}

/** Accepts versions that the customer was shown. Throws `terms_changed` if one of them is no longer current. */
export async function acceptTerms(context: Context, { userId }: Customer, shown: Record<string, string>): Promise<void> {
  const current = accountTerms()
  const accepted = Object.fromEntries(ACCOUNT_TERMS.filter((name) => name in shown).map((name) => [name, shown[name]]))
  const isCurrent = Object.entries(shown).every(([name, version]) => (current as Record<string, string>)[name] === version)
  if (!isCurrent) throw new AppError('terms_changed')
  await transact(context, (work) => keepAcceptance(work, userId, accepted))
}

/** How many customers have accepted each version of the account texts. */
export function acceptedAccountTerms(db: Executor): Promise<{ document: string; version: string; count: number }[]> {
  const { document, version } = termsAcceptances
  return db.select({ document, version, count: sql<number>`count(*)::int` }).from(termsAcceptances).groupBy(document, version)
}

export async function countCustomers(db: Executor): Promise<number> {
  const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(users)
  return row?.count ?? 0
}
