/** The page cookie: opaque, unreadable for scripts, and only good for rendering pages. */
import type { Context as HonoContext } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
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
