/** For every page of the desk: who is signed in. Everybody else sees the door, whatever they asked for. */
import { defineMiddleware } from 'astro:middleware'

const DOOR = ['/sign-in', '/join', '/404']

export const onRequest = defineMiddleware(async (context, next) => {
  const { locals, routePattern, cookies } = context
  const { desk } = locals
  if (!desk) throw new Error('locals.desk is missing: the desk is served by src/server.ts, which composes it')
  locals.staff = await desk.findStaff(cookies.get(desk.cookie)?.value)
  if (routePattern.startsWith('/_')) return new Response('Not found', { status: 404 })
  if (!locals.staff && !DOOR.includes(routePattern)) return context.redirect('/sign-in', 302)
  if (locals.staff && routePattern === '/sign-in') return context.redirect('/', 302)
  const response = await next()
  response.headers.set('Cache-Control', 'private, no-store')
  return response
})
