/** Who may see which page (spec section 2). Closed by default: a page that is not named here is private. */

/** For everybody. */
const OPEN_ROUTES = new Set(['/legal/[slug]', '/not-me', '/sign-out', '/404', '/500'])
/** For those who are not signed in; the others go to the dashboard. */
const SIGNED_OUT_ROUTES = new Set(['/sign-in', '/sign-up', '/sign-up-verify'])
const SANDBOX_ROUTE = /^\/sandbox(\/|$)/

export const SIGN_IN = '/sign-in'
export const DASHBOARD = '/dashboard'

export type GuardDecision = { redirect: string } | 'render' | 'notFound'

/** Decides on the route that was matched, e.g. `/package-detail/[packageType]`, never on the text of a URL. */
export function guard(routePattern: string, { signedIn, sandbox }: { signedIn: boolean; sandbox: boolean }): GuardDecision {
  if (routePattern === '/') return { redirect: signedIn ? DASHBOARD : SIGN_IN }
  if (SANDBOX_ROUTE.test(routePattern)) return sandbox ? 'render' : 'notFound'
  if (OPEN_ROUTES.has(routePattern)) return 'render'
  if (SIGNED_OUT_ROUTES.has(routePattern)) return signedIn ? { redirect: DASHBOARD } : 'render'
  return signedIn ? 'render' : { redirect: SIGN_IN }
}
