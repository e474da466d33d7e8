/** For every page: identifies the customer and decides whether the matched route may be seen. */

import { defineMiddleware } from 'astro:middleware'
import { randomUUID } from 'node:crypto'
import type { APIContext, MiddlewareNext } from 'astro'
import { type GuardDecision, guard, guardUnbuilt, isP2pPath } from '#lib/domain/access/guard.ts'
import { knownTimeZone, THEMES } from '#lib/domain/access/settings.ts'
import { UTC } from '#lib/format/dates.ts'
import type { View } from '#lib/format/view.ts'

const PRIVATE = 'private, no-store'

export const onRequest = defineMiddleware(async (context, next) => {
  const { locals, request } = context
  // Prerendered files are public, and at build time there is no customer.
  if (context.isPrerendered) return next()
  if (import.meta.env.DEV) locals.app ??= (await import('./lib/server/app/dev.ts')).developmentApplication
  if (!locals.app) throw new Error('locals.app is missing: pages are served by src/server.ts, which composes it')
  const { app } = locals
  try {
    if (!isRead(request)) return await respond(context, next)
    return await app.onePage(() => respond(context, next), { mayBeOld: MAY_BE_OLD.includes(context.routePattern) })
  } catch (error) {
    // Not thrown on: Astro would print it as text of several lines, with the values of a failed statement in it.
    const isUnavailable = app.pageFailed(error, { requestId: locals.requestId, path: context.routePattern })
    return showFailure(context, next, isUnavailable)
  }
})

async function showFailure(context: APIContext, next: MiddlewareNext, isUnavailable: boolean): Promise<Response> {
  const { locals, request, url } = context
  const head = {
    status: isUnavailable ? 503 : 500,
    headers: { 'Cache-Control': PRIVATE, ...(isUnavailable && { 'Retry-After': '5' }) }
  }
  // What a form has sent is read already: Astro renders no other page for it.
  if (request.bodyUsed) return new Response('Something went wrong', head)
  // It may have failed before these were known.
  locals.view = viewOf(context)
  locals.appearance = appearanceOf(context)
  // Who is signed in does not change what these pages say: they are shown as to a visitor.
  const asVisitor = isRead(request) && isUnavailable && NEEDS_NO_DATABASE.includes(context.routePattern)
  if (asVisitor) {
    locals.customer = undefined
    const page = await next()
    page.headers.set('Cache-Control', PRIVATE)
    return page
  }
  locals.failed = { isUnavailable, tryAgain: isRead(request) ? `${url.pathname}${url.search}` : '/' }
  const failure = await next('/500')
  for (const [name, value] of Object.entries(head.headers)) failure.headers.set(name, value)
  return new Response(failure.body, { status: head.status, headers: failure.headers })
}

/** Their text is the same for everybody; the frame shows who is signed in. */
const NEEDS_NO_DATABASE = ['/help', '/help/[slug]', '/legal/[slug]']
/** Pages that show nothing of the customer but what is around every page: while no primary answers, a standby may. */
const MAY_BE_OLD = ['/news', '/news/[id]', '/news-image/[file]', ...NEEDS_NO_DATABASE]

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

async function respond(context: APIContext, next: MiddlewareNext): Promise<Response> {
  const { locals, routePattern, cookies } = context
  locals.requestId ??= randomUUID()
  locals.note?.({ route: routePattern })
  if (import.meta.env.DEV) locals.remoteAddress ??= context.clientAddress
  if (import.meta.env.DEV && routePattern === '/v1/[...path]') return next()
  if (!isOwnOrigin(context.request, locals.app.publicOrigin)) {
    locals.note?.({ code: 'foreign_origin' })
    return new Response('Forbidden', { status: 403 })
  }
  locals.customer = await locals.app.findCustomer(cookies.get(locals.app.sessionCookie)?.value)
  if (locals.customer) locals.note?.({ who: locals.customer.userId })
  locals.view = viewOf(context)
  locals.appearance = appearanceOf(context)
  const decision = await decide(context)
  if (decision === 'notFound') return new Response('Not found', { status: 404 })
  const response = decision === 'render' ? await next() : context.redirect(decision.redirect, 302)
  // News pictures contain nothing about a customer, so they may be cached.
  if (routePattern !== '/news-image/[file]' || response.status !== 200) response.headers.set('Cache-Control', PRIVATE)
  if (response.headers.get('Content-Type') === 'text/html') response.headers.set('Content-Type', 'text/html; charset=utf-8')
  return response
}

const appearanceOf = ({ cookies }: APIContext) => ({
  theme: THEMES.find((theme) => theme === cookies.get('theme')?.value) ?? ('system' as const),
  isPrivate: cookies.has('private')
})

/** How this customer sees figures and dates; without a setting, the time zone is that of the browser, from a cookie. */
function viewOf({ locals, cookies }: APIContext): View {
  const { displayCurrency, timeZone } = locals.customer ?? {}
  const zone = timeZone ?? cookies.get('zone')?.value ?? UTC
  // A literal, not the text from the database: V8 treats each text that was read as a new property name, and would compile code that looks a figure
  // up by it again and again.
  const currency = displayCurrency === 'EUR' ? 'EUR' : 'USD'
  return { currency, timeZone: zoneOf(zone) }
}

/** By the spelling that was asked for. Every page asks, and the language data takes longer than many a query. */
const zones = new Map<string, string>()
const MOST_ZONES = 1000

function zoneOf(name: string): string {
  const known = zones.get(name)
  if (known) return known
  const zone = knownTimeZone(name)
  if (!zone) return UTC
  // A name has many spellings, and a browser may send any of them.
  if (zones.size >= MOST_ZONES) zones.clear()
  zones.set(name, zone)
  return zone
}

/** The page `/404` answers unknown paths and redirects some private paths that have no screen. */
async function decide({ routePattern, locals }: APIContext): Promise<GuardDecision> {
  const { app, customer } = locals
  const asked = (routePattern === '/404' && locals.askedPath) || routePattern
  const canTrade = customer !== undefined && isP2pPath(asked) && (await app.canTrade(customer))
  const who = { signedIn: customer !== undefined, sandbox: app.sandbox !== undefined, canTrade }
  const unbuilt = asked === routePattern ? 'notFound' : guardUnbuilt(asked, who)
  return unbuilt === 'notFound' ? guard(routePattern, who) : unbuilt
}

/**
 * Refuses forms of other sites. Browsers send `Origin` or `Sec-Fetch-Site` with every POST; a request with neither is not from a
 * browser.
 */
function isOwnOrigin(request: Request, publicOrigin: string | undefined): boolean {
  if (isRead(request)) return true
  const { headers } = request
  const origin = headers.get('origin')
  if (origin === null) return headers.get('sec-fetch-site') === 'same-origin'
  return origin === (publicOrigin ?? `http://${headers.get('host')}`)
}
