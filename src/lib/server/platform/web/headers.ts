import type { ServerResponse } from 'node:http'

const PAGE: [string, string][] = [
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()'],
  ['X-Frame-Options', 'DENY']
]
const HSTS = 'max-age=63072000; includeSubDomains'
/** For everything that is not a page; a page replaces it with its own policy and hashes. */
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"

/** The security headers of every response. */
export function setSecurityHeaders(res: ServerResponse, { production }: { production: boolean }): void {
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Security-Policy', NOTHING)
  if (production) res.setHeader('Strict-Transport-Security', HSTS)
}

/**
 * Values of `Sec-Fetch-Site` if no foreign page made the request: `none` (typed, a bookmark or another app) or `same-origin` (one
 * of our pages).
 */
const OURS = ['none', 'same-origin']

/**
 * Headers of pages. A page opened by a foreign page gets `Cross-Origin-Opener-Policy`, which cuts it off from its opener, so that
 * the opener cannot lead the customer from our sign-in to its own. Pages opened directly do not get this header: the browser would
 * start a new process when the response arrives, which costs a phone 65 ms before the first paint. `site`: the request's
 * `Sec-Fetch-Site`; if a browser does not send it, the page is protected. Every page is `no-store`, so no cached response is used
 * for the other case.
 */
export function setPageHeaders(res: ServerResponse, site: string | string[] | undefined): void {
  for (const [name, value] of PAGE) res.setHeader(name, value)
  if (typeof site !== 'string' || !OURS.includes(site)) res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
}
