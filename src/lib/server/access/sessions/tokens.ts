/** Access tokens: JWT, 30 minutes, claims `user_id`, `email`, `exp`, `sid`. */
import { jwtVerify, SignJWT } from 'jose'
import { ACCESS_TOKEN_SECONDS } from '#lib/domain/access/sessions.ts'
import type { Context } from '../../platform/context.ts'

const ALGORITHM = 'HS256'

export function signAccessToken(
  { keys, clock }: Context,
  { userId, email, sessionId }: { userId: string; email: string; sessionId: string }
): Promise<string> {
  const nowSeconds = Math.floor(clock().getTime() / 1000)
  return new SignJWT({ user_id: userId, email, sid: sessionId })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + ACCESS_TOKEN_SECONDS)
    .sign(keys.accessToken)
}

/** The session id of a valid, unexpired token; `undefined` for any other text. */
export async function readAccessToken({ keys, clock }: Context, token: string): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys.accessToken, { algorithms: [ALGORITHM], currentDate: clock() })
    return typeof payload.sid === 'string' ? payload.sid : undefined
  } catch {
    return undefined
  }
}
