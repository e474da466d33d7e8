/** The page cookie: opaque, unreadable for scripts, and only good for rendering pages. */
import type { Context as HonoContext } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { CODE_LIFETIME_SECONDS } from '#lib/domain/access/credentials.ts'
import type { ApiDependencies } from '../platform/api/route.ts'
import type { ApiEnv } from '../platform/api/types.ts'
import { AppError } from '../platform/errors.ts'
import type { SignedIn } from './secondFactor.ts'
import { sessionCookieName } from './sessionCookie.ts'
import { endSessionOfCookie } from './sessions/end.ts'

const options = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'Lax', secure }) as const

/**
 * Sets the cookie and answers the pair that goes into the body; the session that this browser had before ends. Throws
 * `second_factor_required` with the ticket where the sign-in is not complete yet.
 */
export async function handOver(
  { context, secureCookie: secure }: Pick<ApiDependencies, 'context' | 'secureCookie'>,
  http: HonoContext<ApiEnv>,
  opened: SignedIn
): Promise<{ token: string; refreshToken: string }> {
  if ('ticket' in opened) throw new AppError('second_factor_required', { ticket: opened.ticket })
  const previous = getCookie(http, sessionCookieName(secure))
  if (previous) await endSessionOfCookie(context, previous)
  setCookie(http, sessionCookieName(secure), opened.cookie, { ...options(secure), expires: opened.expiresAt })
  return { token: opened.token, refreshToken: opened.refreshToken }
}

export function forgetCookie(http: HonoContext<ApiEnv>, secure: boolean): void {
  deleteCookie(http, sessionCookieName(secure), options(secure))
}

const HOLDER = 'sign-up'
const HOLDER_PATH = '/v1/users/signup'

/** The secret of a registration, kept for as long as its code lives. */
export function keepHolder(http: HonoContext<ApiEnv>, secure: boolean, holder: string): void {
  setCookie(http, HOLDER, holder, { ...options(secure), path: HOLDER_PATH, maxAge: CODE_LIFETIME_SECONDS })
}

export function readHolder(http: HonoContext<ApiEnv>): string | undefined {
  return getCookie(http, HOLDER)
}
