/** Who may see which page (spec section 2). Closed by default: a page that is not listed here needs a session. */

/** For everybody. */
const OPEN_ROUTES = new Set([
  '/welcome',
  '/legal/[slug]',
  '/help',
  '/help/[slug]',
  '/help/contact',
  '/not-me',
  '/mails-off',
  '/withdraw-confirm',
  '/rewards/[token].ics',
  '/verify/[...code]',
  '/news-preview',
  '/news-preview/[token]',
  '/news-image/[file]',
  '/sign-out',
  '/404',
  '/500'
])
/** Only for signed-out visitors; signed-in customers are redirected to the dashboard. */
const SIGNED_OUT_ROUTES = new Set(['/sign-in', '/sign-up', '/sign-up-verify'])
const SANDBOX_ROUTE = /^\/sandbox(\/|$)/
/** Routes that the framework adds, such as `/_image`: all are blocked. */
const FRAMEWORK_ROUTE = /^\/_/
const P2P_PATH = /^\/p2p(\/|$)/

export const SIGN_IN = '/sign-in'
export const DASHBOARD = '/dashboard'

/** True for paths and routes of P2P, which only customers who can trade may use. */
export const isP2pPath = (path: string) => P2P_PATH.test(path)

type Visitor = { signedIn: boolean; sandbox: boolean; canTrade: boolean }
export type GuardDecision = { redirect: string } | 'render' | 'notFound'

/** Decides by the matched route, e.g. `/package-detail/[packageType]`, never by the text of a URL. */
export function guard(routePattern: string, { signedIn, sandbox, canTrade }: Visitor): GuardDecision {
  if (FRAMEWORK_ROUTE.test(routePattern)) return 'notFound'
  if (routePattern === '/') return { redirect: signedIn ? DASHBOARD : SIGN_IN }
  if (SANDBOX_ROUTE.test(routePattern)) return sandbox ? 'render' : 'notFound'
  if (OPEN_ROUTES.has(routePattern)) return 'render'
  if (SIGNED_OUT_ROUTES.has(routePattern)) return signedIn ? { redirect: DASHBOARD } : 'render'
  if (!signedIn) return { redirect: SIGN_IN }
  return isP2pPath(routePattern) && !canTrade ? { redirect: DASHBOARD } : 'render'
}

/**
 * For paths without a screen. Below `/p2p`, redirects signed-out visitors to the sign-in page and customers who cannot trade to the
 * dashboard (spec section 2). Every other path is not found. It grants no access, because nothing exists at these paths.
 */
export function guardUnbuilt(path: string, { signedIn, canTrade }: Omit<Visitor, 'sandbox'>): GuardDecision {
  if (!isP2pPath(path)) return 'notFound'
  if (!signedIn) return { redirect: SIGN_IN }
  return canTrade ? 'notFound' : { redirect: DASHBOARD }
}
