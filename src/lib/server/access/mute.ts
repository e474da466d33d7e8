/** The link that switches off a group of mails, without a session. */
import { eq, sql } from 'drizzle-orm'
import { SignJWT } from 'jose'
import { MUTABLE_GROUPS, type MutableGroup } from '#lib/domain/access/settings.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { verifyToken } from '../platform/signedToken.ts'
import { users } from './schema.ts'

const ALGORITHM = 'HS256'

/**
 * The link to the page that switches mails off. The page acts only when its button is pressed, because mail programs open links by themselves.
 * It does not expire: it can do nothing else.
 */
export async function muteLink({ keyFor, origin }: Context, userId: string, group: MutableGroup): Promise<string> {
  const token = await new SignJWT({ user_id: userId, group }).setProtectedHeader({ alg: ALGORITHM }).sign(keyFor('mute'))
  return `${origin}/mails-off?token=${token}`
}

/** Switches off the mails of the link; a repeat changes nothing. Throws `link_invalid` for a forged token. */
export async function muteByLink({ db, keysFor, clock }: Context, token: string): Promise<void> {
  const payload = await verifyToken(token, keysFor('mute')).catch(() => {
    throw new AppError('link_invalid')
  })
  const group = MUTABLE_GROUPS.find((one) => one === payload.group)
  if (!group || typeof payload.user_id !== 'string') throw new AppError('link_invalid')
  await db
    .update(users)
    .set({
      mutedMails: sql`case when ${users.mutedMails} ? ${group} then ${users.mutedMails} else ${users.mutedMails} || ${JSON.stringify([group])}::jsonb end`,
      updatedAt: clock()
    })
    .where(eq(users.id, payload.user_id))
}
