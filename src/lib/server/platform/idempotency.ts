/** A repeated request gets the response of the first one; the same key with another request is refused. */
import { and, eq, sql } from 'drizzle-orm'
import { type Actor, actorText } from './actor.ts'
import type { Context } from './context.ts'
import { hashToken } from './crypto.ts'
import { runNamed } from './db/named.ts'
import { idempotencyKeys } from './db/schema.ts'
import { AppError } from './errors.ts'
import { transact, type Work } from './transaction.ts'

type Request = { key: string | undefined; call: string; body: unknown }

/** Stands for the request where its key is kept. */
export function hashOf({ call, body }: Pick<Request, 'call' | 'body'>): string {
  return hashToken(JSON.stringify([call, body]))
}

/**
 * Runs `run` once for the actor's key, in the transaction that also stores its result (plain JSON). A concurrent repeat waits for
 * the first and then gets the same result. A failure stores nothing, so that the request can be tried again.
 */
export function once<T>(context: Context, actor: Actor, request: Request, run: (work: Work) => Promise<T>): Promise<T> {
  return transact(context, async (work) => {
    const { key } = request
    if (key === undefined) return run(work)
    const { tx, now } = work
    const requestHash = hashOf(request)
    const mine = and(eq(idempotencyKeys.actor, actorText(actor)), eq(idempotencyKeys.key, key))
    const taken = await runNamed(
      tx,
      'idempotency_take',
      sql`
        insert into idempotency_keys (actor, key, request_hash, created_at)
        select ${actorText(actor)}, ${key}, ${requestHash}, ${now.toISOString()}::timestamptz
        from idempotency_lock(${actorText(actor)}, ${key}) on conflict do nothing returning key`
    )
    if (taken.length === 0) {
      // With an id, the commit of the repeat waits for the standby, and so for the first request's, whose own wait may have been ended.
      const [stored] = await tx
        .select({ answer: idempotencyKeys.answer, requestHash: idempotencyKeys.requestHash, id: sql`pg_current_xact_id()` })
        .from(idempotencyKeys)
        .where(mine)
      if (stored?.requestHash !== requestHash) throw new AppError('idempotency_key_reused')
      return stored.answer as T
    }
    const answer = await run(work)
    await tx.update(idempotencyKeys).set({ answer }).where(mine)
    return answer
  })
}
