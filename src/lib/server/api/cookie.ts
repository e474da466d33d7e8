/** The page cookie: opaque, unreadable for scripts, and only good for rendering pages. */
import type { Context as HonoContext } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { CODE_LIFETIME_SECONDS } from '../../domain/account.ts'
import type { OpenedSession } from '../services/sessions/open.ts'
import { sessionCookieName } from '../sessionCookie.ts'
import type { ApiEnv } from './types.ts'

const options = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'Lax', secure }) as const

/** Sets the cookie and answers the pair that goes into the body. */
export function handOver(
  http: HonoContext<ApiEnv>,
  secure: boolean,
  opened: OpenedSession
): { token: string; refreshToken: string } {
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
