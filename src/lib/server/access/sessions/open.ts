import { SESSION_DAYS } from '#lib/domain/access/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { hashToken, randomToken } from '../../platform/crypto.ts'
import { mailTo } from '../../platform/mail/job.ts'
import type { Work } from '../../platform/transaction.ts'
import type { Asker } from '../codes/issue.ts'
import type { User } from '../find.ts'
import { refreshTokens, type SignInMethod, sessions } from '../schema.ts'
import { describeDevice } from './device.ts'
import { disavowLink } from './disavow.ts'
import { signAccessToken } from './tokens.ts'

/** The browser and its network address. */
export type Device = Asker & { userAgent: string; address: string }
/** The result of a sign-in: the token pair for the API and the cookie that lets pages render. */
export type OpenedSession = {
  userId: string
  sessionId: string
  token: string
  refreshToken: string
  cookie: string
  expiresAt: Date
}

const USER_AGENT_LENGTH = 300
const DAY_MS = 86_400_000

/**
 * Opens a session of fixed length: it ends 30 days after the sign-in, whatever happens in between. Every sign-in but the first
 * sends a mail to the account's address, with a link to report it as somebody else's.
 */
export async function openSession(
  context: Context,
  work: Work,
  user: Pick<User, 'id' | 'email' | 'locale'>,
  device: Device,
  method: SignInMethod
): Promise<OpenedSession> {
  const { tx, now } = work
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
      provedAt: now,
      expiresAt
    })
    .returning({ id: sessions.id })
  if (!session) throw new Error('The database returned no session row')
  await tx.insert(refreshTokens).values({ hash: hashToken(refreshToken), sessionId: session.id, createdAt: now })
  if (method !== 'sign_up') {
    const link = await disavowLink(context, user.id, user.email)
    const facts = { device: describeDevice(device.userAgent), address: device.address, at: now.toISOString() }
    await work.enqueue(mailTo(user, 'newSignIn', { ...facts, link }))
  }
  const token = await signAccessToken(context, { userId: user.id, email: user.email, sessionId: session.id })
  return { userId: user.id, sessionId: session.id, token, refreshToken, cookie, expiresAt }
}
