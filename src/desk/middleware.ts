/** For every page of the desk: who is signed in. Everybody else sees the door, whatever they asked for. */
import { defineMiddleware } from 'astro:middleware'
import type { APIContext, MiddlewareNext } from 'astro'

const DOOR = ['/sign-in', '/join', '/404']

export const onRequest = defineMiddleware(async (context, next) => {
  const { desk } = context.locals
  if (!desk) throw new Error('locals.desk is missing: the desk is served by src/server.ts, which composes it')
  try {
    return await respond(context, next, desk)
  } catch (error) {
    const { requestId } = context.locals
    desk.pageFailed(error, { requestId, path: context.routePattern })
    return new Response(`This page could not be made. Try again, and tell operations this number: ${requestId}`, {
      status: 500,
      headers: { 'Cache-Control': 'private, no-store', 'Content-Type': 'text/plain; charset=utf-8' }
    })
  }
})

async function respond(context: APIContext, next: MiddlewareNext, desk: NonNullable<App.Locals['desk']>): Promise<Response> {
  const { locals, routePattern, cookies, request } = context
  // A search is the only form that a page takes.
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead && !desk.isOwn(request)) return new Response('This request came from another site.', { status: 403 })
  locals.note?.({ route: routePattern })
  locals.staff = await desk.findStaff(cookies.get(desk.cookie)?.value)
  if (locals.staff) locals.note?.({ who: locals.staff.id })
  if (routePattern.startsWith('/_')) return new Response('Not found', { status: 404 })
  if (!locals.staff && !DOOR.includes(routePattern)) return context.redirect('/sign-in', 302)
  if (locals.staff && routePattern === '/sign-in') return context.redirect('/', 302)
  const response = await next()
  response.headers.set('Cache-Control', 'private, no-store')
  if (response.headers.get('Content-Type') === 'text/html') response.headers.set('Content-Type', 'text/html; charset=utf-8')
  return response
}
