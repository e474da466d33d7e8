/** Access tokens: JWT, 30 minutes, claims `user_id`, `email`, `exp`, `sid`. */
import { jwtVerify, SignJWT } from 'jose'
import { ACCESS_TOKEN_SECONDS } from '#lib/domain/access/sessions.ts'
import type { Context } from '../../platform/context.ts'

const ALGORITHM = 'HS256'
/** Another text would make the database refuse the query. */
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

/** The session id of a valid, unexpired token; `undefined` for any other text. */
export async function readAccessToken({ keyFor, clock }: Context, token: string): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, keyFor('access-token'), {
      algorithms: [ALGORITHM],
      requiredClaims: ['exp', 'sid'],
      currentDate: clock()
    })
    return typeof payload.sid === 'string' && UUID.test(payload.sid) ? payload.sid : undefined
  } catch {
    return undefined
  }
}
