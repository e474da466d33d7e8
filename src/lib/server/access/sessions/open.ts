import { SESSION_DAYS } from '#lib/domain/access/sessions.ts'
import { mails } from '#lib/messages/mails.ts'
import type { Context } from '../../platform/context.ts'
import { hashToken, randomToken } from '../../platform/crypto.ts'
import type { Transaction } from '../../platform/db/client.ts'
import { refreshTokens, type SignInMethod, sessions } from '../../platform/db/schema.ts'
import { enqueueMail } from '../../platform/jobs/enqueue.ts'
import { describeDevice } from './device.ts'
import { disavowLink } from './disavow.ts'
import { signAccessToken } from './tokens.ts'

export type Device = { userAgent: string; address: string }
/** What a sign-in answers: the pair for the API and the cookie that lets pages render. */
export type OpenedSession = { token: string; refreshToken: string; cookie: string; expiresAt: Date }

const USER_AGENT_LENGTH = 300
const DAY_MS = 86_400_000

/**
 * Opens a session of fixed length: it ends 30 days after the sign-in, whatever happens in between. Every sign-in but the
 * first is told to the account's address, with a link for whoever it was not.
 */
export async function openSession(
  context: Context,
  tx: Transaction,
  user: { id: string; email: string },
  device: Device,
  method: SignInMethod
): Promise<OpenedSession> {
  const now = context.clock()
  const cookie = randomToken()
  const refreshToken = randomToken()
  const expiresAt = new Date(now.getTime() + SESSION_DAYS * DAY_MS)
  const [session] = await tx
    .insert(sessions)
    .values({
      userId: user.id,
      cookieHash: hashToken(cookie),
      userAgent: device.userAgent.slice(0, USER_AGENT_LENGTH),
      address: device.address,
      method,
      createdAt: now,
      confirmedAt: now,
      expiresAt
    })
    .returning({ id: sessions.id })
  if (!session) throw new Error('The database returned no session row')
  await tx.insert(refreshTokens).values({ hash: hashToken(refreshToken), sessionId: session.id, createdAt: now })
  if (method !== 'sign_up') {
    const link = await disavowLink(context, user.id, user.email)
    await enqueueMail(
      context,
      tx,
      user.email,
      mails.newSignIn({ device: describeDevice(device.userAgent), ...device, at: now, link })
    )
  }
  const token = await signAccessToken(context, { userId: user.id, email: user.email, sessionId: session.id })
  return { token, refreshToken, cookie, expiresAt }
}
