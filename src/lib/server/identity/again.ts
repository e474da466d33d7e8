/** Asking for an identity check again: ours at once, and the provider's by a job, because the desk knows none of its keys. */
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { rowsOf } from '../platform/db/client.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import type { Work } from '../platform/transaction.ts'
import type { IdentityProvider } from './port.ts'
import { identityChecks } from './schema.ts'

const KIND = 'identity_reset'

/** False if the customer has no completed check. */
export async function askIdentityAgain({ tx, now, enqueue }: Work, userId: string): Promise<boolean> {
  const [row] = rowsOf<{ done: boolean }>(
    await tx.execute(sql`select identity_ask_again(${userId}::uuid, ${now.toISOString()}::timestamptz) as done`)
  )
  if (row?.done) await enqueue({ kind: KIND, payload: { userId, at: now.toISOString() } })
  return row?.done === true
}

/** Lets the provider begin anew, so that the customer's link leads to a new check. Nothing where something was told since. */
export function identityResetJob({ db }: Context, provider: IdentityProvider): JobKind {
  return {
    name: KIND,
    role: 'worker',
    run: async (payload) => {
      const { userId, at } = payload as { userId: string; at: string }
      const [check] = await db.select().from(identityChecks).where(eq(identityChecks.userId, userId))
      if (check?.reviewStatus !== 'init' || check.statusAt.toISOString() !== at) return
      await provider.reset(check.applicantId)
    }
  }
}
