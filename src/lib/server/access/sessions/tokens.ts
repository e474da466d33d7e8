/** Access tokens: JWT, 30 minutes, claims `user_id`, `email`, `exp`, `sid`. */
import { SignJWT } from 'jose'
import { ACCESS_TOKEN_SECONDS } from '#lib/domain/access/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { verifyToken } from '../../platform/signedToken.ts'

const ALGORITHM = 'HS256'
/** The database refuses a query with any other text. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

export function signAccessToken(
  { keyFor, clock }: Context,
  { userId, email, sessionId }: { userId: string; email: string; sessionId: string }
): Promise<string> {
  const nowSeconds = Math.floor(clock().getTime() / 1000)
  return new SignJWT({ user_id: userId, email, sid: sessionId })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + ACCESS_TOKEN_SECONDS)
    .sign(keyFor('access-token'))
}

type Verified = { sessionId: string; userId: string; expiresAtMs: number }

/** Cache of verified tokens until they expire: verifying one costs more than the two queries of a balance. */
const verified = new WeakMap<Context['keyFor'], Map<string, Verified>>()
const MOST_VERIFIED = 10_000

/** What a valid, unexpired token says; `undefined` for any other text. */
export async function readAccessToken(context: Context, token: string): Promise<Verified | undefined> {
  const known = verified.get(context.keyFor) ?? new Map<string, Verified>()
  verified.set(context.keyFor, known)
  const found = known.get(token) ?? (await verify(context, token))
  if (!found || found.expiresAtMs <= context.clock().getTime()) {
    known.delete(token)
    return undefined
  }
  if (!known.has(token)) {
    if (known.size >= MOST_VERIFIED) known.clear()
    known.set(token, found)
  }
  return found
}

async function verify({ keysFor, clock }: Context, token: string): Promise<Verified | undefined> {
  try {
    const payload = await verifyToken(token, keysFor('access-token'), {
      requiredClaims: ['exp', 'sid', 'user_id'],
      currentDate: clock()
    })
    const { sid, user_id: userId, exp = 0 } = payload
    if (typeof sid !== 'string' || typeof userId !== 'string' || !UUID.test(sid)) return undefined
    return { sessionId: sid, userId, expiresAtMs: exp * 1000 }
  } catch {
    return undefined
  }
}
