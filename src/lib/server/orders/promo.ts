/** The promo code: it opens the packages of the promotion to the customer who entered it. */
import { desc, eq, sql } from 'drizzle-orm'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { isHashedBy, keyedHash, sameText } from '../platform/crypto.ts'
import type { Executor } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { promoUnlocks } from './schema.ts'

/** Both codes are compared as hashes, which have one length, so that comparing takes the same time for any input. */
const hashOf = ({ keyFor }: Context, code: string) => keyedHash(keyFor('promo'), code)

/** Stores that the customer entered the code. Throws `promo_invalid`, also if no code is configured. */
export async function enterPromoCode(
  context: Context,
  promoCode: string | undefined,
  { userId }: Customer,
  entered: string
): Promise<void> {
  const codeHash = hashOf(context, entered)
  if (!promoCode || !sameText(codeHash, hashOf(context, promoCode))) throw new AppError('promo_invalid')
  const unlockedAt = context.clock()
  await context.db
    .insert(promoUnlocks)
    .values({ userId, codeHash, unlockedAt })
    .onConflictDoUpdate({ target: promoUnlocks.userId, set: { codeHash, unlockedAt } })
}

/** Throws `promo_needed` if the customer has not entered the current code. */
export async function requirePromoCode(
  context: Context,
  db: Executor,
  promoCode: string | undefined,
  { userId }: Customer
): Promise<void> {
  const [unlock] = await db.select().from(promoUnlocks).where(eq(promoUnlocks.userId, userId))
  if (!promoCode || !unlock || !isHashedBy(context.keysFor('promo'), unlock.codeHash, promoCode))
    throw new AppError('promo_needed')
}

/** How many customers entered each promo code, the code that was entered last first: never the code itself. */
export async function promoEntries(db: Executor): Promise<{ customers: number; first: Date; last: Date }[]> {
  const at = promoUnlocks.unlockedAt
  const rows = await db
    .select({ customers: sql<number>`count(*)::int`, first: sql<string>`min(${at})`, last: sql<string>`max(${at})` })
    .from(promoUnlocks)
    .groupBy(promoUnlocks.codeHash)
    .orderBy(desc(sql`max(${at})`))
  return rows.map(({ customers, first, last }) => ({ customers, first: new Date(first), last: new Date(last) }))
}
