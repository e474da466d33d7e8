/** For the sandbox only: makes an account look as if time had passed, so that journeys need not wait. */
import { eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import type { User } from './find.ts'
import { codes, sessions } from './schema.ts'

const HOUR_MS = 3_600_000

type Travel = (context: Context, user: User) => Promise<unknown>

const ago = ({ clock }: Context) => new Date(clock().getTime() - HOUR_MS)

export const TIME_TRAVELS = {
  /** The sessions end. */
  sessions: (context, { id }) => context.db.update(sessions).set({ endedAt: context.clock() }).where(eq(sessions.userId, id)),
  /** The codes that were sent run out. */
  codes: (context, { email }) =>
    context.db
      .update(codes)
      .set({ expiresAt: ago(context) })
      .where(eq(codes.email, email)),
  /** The last proof of identity is too old for a change to the security. */
  proof: (context, { id }) =>
    context.db
      .update(sessions)
      .set({ provedAt: ago(context) })
      .where(eq(sessions.userId, id))
} satisfies Record<string, Travel>
