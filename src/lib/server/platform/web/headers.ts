import type { ServerResponse } from 'node:http'

const PAGE: [string, string][] = [
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()'],
  ['X-Frame-Options', 'DENY']
]
const HSTS = 'max-age=63072000; includeSubDomains'
/** For everything that is not a page; a page's own policy, with its hashes, takes its place. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'"

/** The security headers of every answer. */
export function setSecurityHeaders(res: ServerResponse, { production }: { production: boolean }): void {
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Security-Policy', NOTHING)
  if (production) res.setHeader('Strict-Transport-Security', HSTS)
}

/** What `Sec-Fetch-Site` says where no foreign page asks: the customer's own hand, a bookmark or another app; or a page of ours. */
const OURS = ['none', 'same-origin']

/**
 * Headers that matter only for documents. A window that a foreign page opens is cut off from that page, so that it cannot lead the
 * customer from our sign-in to its own. A window that nobody else opened goes without: the browser would start a new process as soon
 * as the answer arrives, which costs a phone 65 ms before the first paint. `site`: the request's `Sec-Fetch-Site`; a browser that
 * does not send it gets the protection. Every page is `no-store`, so no answer is used again for a request of another kind.
 */
export function setPageHeaders(res: ServerResponse, site: string | string[] | undefined): void {
  for (const [name, value] of PAGE) res.setHeader(name, value)
  if (typeof site !== 'string' || !OURS.includes(site)) res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
}
