import type { ServerResponse } from 'node:http'

const PAGE: [string, string][] = [
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
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

/** Headers that matter only for documents. */
export function setPageHeaders(res: ServerResponse): void {
  for (const [name, value] of PAGE) res.setHeader(name, value)
}
