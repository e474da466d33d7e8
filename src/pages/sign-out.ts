/** Ends the session of the page cookie: the logout form works without JavaScript. */
import type { APIRoute } from 'astro'

export const POST: APIRoute = async ({ cookies, locals: { app }, redirect }) => {
  const cookie = cookies.get(app.sessionCookie)?.value
  if (cookie) await app.signOutCookie(cookie)
  cookies.delete(app.sessionCookie, { path: '/', httpOnly: true, sameSite: 'lax', secure: app.secureCookie })
  return redirect('/sign-in', 303)
}

/** GET does not sign out: a link must not do that. */
export const GET: APIRoute = ({ redirect }) => redirect('/', 302)
