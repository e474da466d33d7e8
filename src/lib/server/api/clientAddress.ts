import type { Context as HonoContext } from 'hono'
import type { ApiEnv } from './types.ts'

/** The caller's address: as many proxies are believed as the configuration names, counted from our side. */
export function clientAddress(http: HonoContext<ApiEnv>, proxyHops: number): string {
  const direct = http.env?.incoming?.socket.remoteAddress ?? 'in-process'
  if (proxyHops === 0) return direct
  const forwarded = (http.req.header('x-forwarded-for') ?? '').split(',').map((part) => part.trim())
  return forwarded.at(-proxyHops)?.slice(0, 64) || direct
}
