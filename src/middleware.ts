/** Every page passes here: who asks, and may they see the route that was matched. */

import { defineMiddleware } from 'astro:middleware'
import { randomUUID } from 'node:crypto'
import type { APIContext } from 'astro'
import { type GuardDecision, guard, guardUnbuilt } from '#lib/domain/access/guard.ts'

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
  const decision = decide(context)
  if (decision === 'notFound') return new Response('Not found', { status: 404 })
  const response = decision === 'render' ? await next() : context.redirect(decision.redirect, 302)
  response.headers.set('Cache-Control', PRIVATE)
  if (response.headers.get('Content-Type') === 'text/html') response.headers.set('Content-Type', 'text/html; charset=utf-8')
  return response
})

/** No route has the path: then the page of that name answers, and says of some private paths where they lead. */
function decide({ routePattern, locals }: APIContext): GuardDecision {
  const who = { signedIn: locals.customer !== undefined, sandbox: locals.app.sandbox !== undefined }
  const unbuilt = routePattern === '/404' && locals.askedPath ? guardUnbuilt(locals.askedPath, who) : 'notFound'
  return unbuilt === 'notFound' ? guard(routePattern, who) : unbuilt
}

/** A form of another site can't send anything here: browsers say where a POST comes from. */
function isOwnOrigin({ method, headers }: Request, publicOrigin: string | undefined): boolean {
  const origin = headers.get('origin')
  if (method === 'GET' || method === 'HEAD' || origin === null) return true
  return origin === (publicOrigin ?? `http://${headers.get('host')}`)
}
