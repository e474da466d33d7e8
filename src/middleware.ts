/** Every page passes here: who asks, and may they see the route that was matched. */

import { defineMiddleware } from 'astro:middleware'
import { randomUUID } from 'node:crypto'
import { guard } from '#lib/domain/access/guard.ts'

const PRIVATE = 'private, no-store'

export const onRequest = defineMiddleware(async (context, next) => {
  const { locals, routePattern, cookies } = context
  // Files that the build draws are for everybody, and made before there is anybody.
  if (context.isPrerendered) return next()
  if (import.meta.env.DEV) locals.app ??= (await import('./lib/server/app/dev.ts')).developmentApplication
  if (!locals.app) throw new Error('locals.app is missing: pages are served by src/server.ts, which composes it')
  locals.requestId ??= randomUUID()
  if (import.meta.env.DEV && routePattern === '/v1/[...path]') return next()
  if (!isOwnOrigin(context.request, locals.app.publicOrigin)) return new Response('Forbidden', { status: 403 })
  locals.customer = await locals.app.findCustomer(cookies.get(locals.app.sessionCookie)?.value)
  const decision = guard(routePattern, { signedIn: locals.customer !== undefined, sandbox: locals.app.sandbox !== undefined })
  if (decision === 'notFound') return new Response('Not found', { status: 404 })
  const response = decision === 'render' ? await next() : context.redirect(decision.redirect, 302)
  response.headers.set('Cache-Control', PRIVATE)
  return response
})

/** A form of another site can't send anything here: browsers say where a POST comes from. */
function isOwnOrigin({ method, headers }: Request, publicOrigin: string | undefined): boolean {
  const origin = headers.get('origin')
  if (method === 'GET' || method === 'HEAD' || origin === null) return true
  return origin === (publicOrigin ?? `http://${headers.get('host')}`)
}
