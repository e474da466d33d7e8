import { eq } from 'drizzle-orm'
import type { Executor } from '../platform/db/client.ts'
import { users } from './schema.ts'

export type User = typeof users.$inferSelect

export async function findUserByEmail(db: Executor, email: string): Promise<User | undefined> {
  const [user] = await db.select().from(users).where(eq(users.email, email))
  return user
}

export async function findUserByReferralCode(db: Executor, referralCode: string): Promise<User | undefined> {
  const [user] = await db.select().from(users).where(eq(users.referralCode, referralCode))
  return user
}

/** The e-mail of a customer; undefined if no customer has this id. */
export async function userEmailOf(db: Executor, userId: string): Promise<string | undefined> {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return row?.email
}
