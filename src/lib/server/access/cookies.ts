/** Two cookies: the page cookie signs in page requests, the browser cookie tells browsers apart. */
import type { Context as HonoContext } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { ApiEnv } from '../platform/api/types.ts'
import { hashToken, randomToken } from '../platform/crypto.ts'

type Http = HonoContext<ApiEnv>

/** `__Host-` binds a cookie to this host and to HTTPS; the sandbox has no HTTPS. */
function named(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}

export function sessionCookieName(secure: boolean): string {
  return named('session', secure)
}

const options = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'Lax', secure }) as const

export function readSessionCookie(http: Http, secure: boolean): string | undefined {
  return getCookie(http, sessionCookieName(secure))
}

export function setSessionCookie(http: Http, secure: boolean, cookie: string, expires: Date): void {
  setCookie(http, sessionCookieName(secure), cookie, { ...options(secure), expires })
}

export function forgetSessionCookie(http: Http, secure: boolean): void {
  deleteCookie(http, sessionCookieName(secure), options(secure))
}

const BROWSER = 'browser'
const YEAR_SECONDS = 31_536_000
const BROWSER_TOKEN = /^[\w-]{43}$/

/** The hash of this browser's cookie; empty if it sent none. It grants no access: it only keeps the limits and codes of browsers apart. */
export function readBrowser(http: Http, secure: boolean): string {
  const token = getCookie(http, named(BROWSER, secure)) ?? ''
  return BROWSER_TOKEN.test(token) ? hashToken(token) : ''
}

/** The same, but sets a new cookie if the browser has none. */
export function ensureBrowser(http: Http, secure: boolean): string {
  const known = readBrowser(http, secure)
  if (known !== '') return known
  const token = randomToken()
  setCookie(http, named(BROWSER, secure), token, { ...options(secure), maxAge: YEAR_SECONDS })
  return hashToken(token)
}
