/** The names under which customers trade. */
import { randomInt, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { nicknameFrom } from '#lib/domain/p2p/nickname.ts'
import type { Executor } from '../platform/db/client.ts'
import { p2pTraders } from './schema.ts'

const MOST_TRIES = 40
const RANDOM_END = 2 ** 32

/** Makes the customer a trader if they are none yet, and returns their nickname. A nickname that is taken is drawn again. */
export async function ensureTrader({ tx, now }: { tx: Executor; now: Date }, userId: string): Promise<string> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const [known] = await tx.select({ nickname: p2pTraders.nickname }).from(p2pTraders).where(eq(p2pTraders.userId, userId))
    if (known) return known.nickname
    await tx
      .insert(p2pTraders)
      .values({ userId, publicId: randomUUID(), nickname: nicknameFrom(randomInt(RANDOM_END), tries), createdAt: now })
      .onConflictDoNothing()
  }
  throw new Error('No nickname is free')
}
