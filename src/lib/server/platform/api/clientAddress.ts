import type { Context as HonoContext } from 'hono'
import type { ApiEnv } from './types.ts'

/** A caller who has disconnected by now has no address any more. */
export const GONE = 'gone'

/** The caller's address; undefined for a call in process without a browser. Trusts as many proxies as configured, counted from our side. */
export function clientAddress(http: HonoContext<ApiEnv>, proxyHops: number): string | undefined {
  const direct = http.env?.incoming && (http.env.incoming.socket.remoteAddress ?? GONE)
  return addressBehind(direct, http.req.header('x-forwarded-for'), proxyHops)
}

/** `direct`: who connected; `forwarded`: the header that our proxies write. */
export function addressBehind(direct: string | undefined, forwarded: string | undefined, proxyHops: number): string | undefined {
  if (proxyHops === 0) return direct
  const hops = (forwarded ?? '').split(',').map((part) => part.trim())
  return hops.at(-proxyHops)?.slice(0, 64) || direct
}

/** The address that rate limits count by. An IPv6 customer has a whole /64, which counts as one. */
export function limitKeyOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '').toLowerCase()
  if (!plain.includes(':')) return plain
  const [head = '', tail = ''] = plain.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = plain.includes('::') ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0') : []
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
