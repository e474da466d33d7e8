import { eq } from 'drizzle-orm'
import type { Executor } from '../platform/db/client.ts'
import { p2pTraders } from './schema.ts'

/** The customer with this nickname, exactly as it is written. */
export async function traderOf(db: Executor, nickname: string): Promise<string | undefined> {
  const [trader] = await db.select({ userId: p2pTraders.userId }).from(p2pTraders).where(eq(p2pTraders.nickname, nickname))
  return trader?.userId
}
