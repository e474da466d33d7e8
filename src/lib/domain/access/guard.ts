/** Who may see which page (spec section 2). Closed by default: a page that is not named here is private. */

/** For everybody. */
const OPEN_ROUTES = new Set(['/welcome', '/legal/[slug]', '/not-me', '/withdraw-confirm', '/sign-out', '/404', '/500'])
/** Only for signed-out visitors; the others go to the dashboard. */
const SIGNED_OUT_ROUTES = new Set(['/sign-in', '/sign-up', '/sign-up-verify'])
const SANDBOX_ROUTE = /^\/sandbox(\/|$)/
/** Routes that the framework adds, such as `/_image`: none of them may answer. */
const FRAMEWORK_ROUTE = /^\/_/
/** Private routes of the specification whose screens do not exist yet. */
const UNBUILT_PATHS = [
  '/buy-package/bonus',
  '/confirm-euro',
  '/news',
  '/euro',
  '/euro-list',
  '/euro-withdraw',
  '/euro-history',
  '/staking'
]
const P2P_PATH = /^\/p2p(\/|$)/

export const SIGN_IN = '/sign-in'
export const DASHBOARD = '/dashboard'

export type GuardDecision = { redirect: string } | 'render' | 'notFound'

/** Decides on the route that was matched, e.g. `/package-detail/[packageType]`, never on the text of a URL. */
export function guard(routePattern: string, { signedIn, sandbox }: { signedIn: boolean; sandbox: boolean }): GuardDecision {
  if (FRAMEWORK_ROUTE.test(routePattern)) return 'notFound'
  if (routePattern === '/') return { redirect: signedIn ? DASHBOARD : SIGN_IN }
  if (SANDBOX_ROUTE.test(routePattern)) return sandbox ? 'render' : 'notFound'
  if (OPEN_ROUTES.has(routePattern)) return 'render'
  if (SIGNED_OUT_ROUTES.has(routePattern)) return signedIn ? { redirect: DASHBOARD } : 'render'
  return signedIn ? 'render' : { redirect: SIGN_IN }
}

/**
 * Redirects a private path that has no screen: signed out to the sign-in, `/p2p` to the dashboard (nobody can trade
 * yet); any other is not found. It grants no access: there is nothing at these paths.
 */
export function guardUnbuilt(path: string, { signedIn }: { signedIn: boolean }): GuardDecision {
  const isP2p = P2P_PATH.test(path)
  if (!isP2p && !UNBUILT_PATHS.some((known) => path === known || path.startsWith(`${known}/`))) return 'notFound'
  if (!signedIn) return { redirect: SIGN_IN }
  return isP2p ? { redirect: DASHBOARD } : 'notFound'
}
