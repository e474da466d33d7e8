import type { Call } from '../platform/api/route.ts'
import type { Site } from './security/passkeys.ts'
import type { Device } from './sessions/open.ts'

export function deviceOf({ http, address }: Pick<Call<'signIn'>, 'http' | 'address'>): Device {
  return { userAgent: http.req.header('user-agent') ?? '', address }
}

/** Where the customer's browser is: what is configured, or in the sandbox what it says itself. */
export function siteOf({ http }: Pick<Call<'signIn'>, 'http'>, publicOrigin: string | undefined): Site {
  const origin = publicOrigin ?? `http://${http.req.header('host') ?? 'localhost'}`
  return { origin, rpId: URL.canParse(origin) ? new URL(origin).hostname : 'localhost' }
}
