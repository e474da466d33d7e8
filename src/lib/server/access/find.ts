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
