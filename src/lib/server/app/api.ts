/** The `/v1` application. */
import { OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { calls } from '#lib/contract/calls.ts'
import { BRAND } from '#lib/domain/brand.ts'
import { isVerified } from '#lib/domain/identity/check.ts'
import { accessHandlers, authenticate, hasOwnLimits, readBrowser, requireFreshProof } from '../access/index.ts'
import { activityHandlers } from '../activity/index.ts'
import { type DepositSettings, depositHandlers } from '../deposits/index.ts'
import { documentHandlers } from '../documents/index.ts'
import { helpHandlers } from '../help/index.ts'
import { identityHandlers, readIdentityData } from '../identity/index.ts'
import { newsHandlers } from '../news/index.ts'
import { noticeHandlers } from '../notices/index.ts'
import { orderHandlers } from '../orders/index.ts'
import { type BookFeed, type P2pSettings, p2pHandlers } from '../p2p/index.ts'
import { fail, handleError } from '../platform/api/failure.ts'
import { underEmailLimits } from '../platform/api/limits.ts'
import { mountCalls } from '../platform/api/mount.ts'
import { describeApi } from '../platform/api/openapi.ts'
import type { Api, ApiEnv } from '../platform/api/types.ts'
import type { Context } from '../platform/context.ts'
import { referralHandlers } from '../referral/index.ts'
import { stakingHandlers } from '../staking/index.ts'
import { walletHandlers } from '../wallet/index.ts'
import { type WithdrawalSettings, withdrawalHandlers } from '../withdrawals/index.ts'
import { activitySources, onAccountSecured } from './features.ts'
import type { Ports } from './ports.ts'

const BODY_BYTES = 64 * 1024
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE']
const knownPaths = Object.values(calls).map(({ path }) => new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/]+')}/?$`))

type Dependencies = {
  context: Context
  ports: Ports
  deposits: DepositSettings
  withdrawals: WithdrawalSettings
  p2p: P2pSettings
  bookFeed: BookFeed
  promoCode: string | undefined
  supportEmail: string
  proxyHops: number
  secureCookie: boolean
  /** The origin of the product's own pages, where it is configured. */
  publicOrigin: string | undefined
}

export function createApi({
  context,
  ports,
  deposits,
  withdrawals,
  p2p,
  bookFeed,
  promoCode,
  supportEmail,
  proxyHops,
  secureCookie,
  publicOrigin
}: Dependencies): Api {
  const api: Api = new OpenAPIHono<ApiEnv>({ strict: false }).basePath('/v1')
  const limitBody = bodyLimit({ maxSize: BODY_BYTES, onError: (http) => fail(http, 'body_too_large') })
  // Not for GET, which has no body: one handler alone is answered without Hono's chain of middleware.
  api.on(METHODS_WITH_BODY, '*', limitBody)
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
  const { rates, bank, identity } = ports
  mountCalls(
    api,
    {
      context,
      proxyHops,
      authenticate: (http) => authenticate(context, http),
      requireFreshProof: (customer) => requireFreshProof(context, customer),
      underEmailLimits: underEmailLimits(context, async ({ http, email, name }) => {
        const holder = readBrowser(http, secureCookie)
        return (await hasOwnLimits(context, holder, email, name)) ? holder : undefined
      })
    },
    {
      ...accessHandlers({
        context,
        secureCookie,
        publicOrigin,
        readIdentity: (customer) => identityOf(context, customer),
        onAccountSecured
      }),
      ...identityHandlers(context, identity),
      ...walletHandlers(context, { rates, proof: deposits.proof }),
      ...orderHandlers(context, { rates, bank: bank.details, promoCode }),
      ...depositHandlers(context, deposits),
      ...withdrawalHandlers(context, withdrawals),
      ...p2pHandlers(context, p2p, bookFeed),
      ...stakingHandlers(context),
      ...referralHandlers(context),
      ...noticeHandlers(context),
      ...activityHandlers(context, activitySources),
      ...documentHandlers(context),
      ...newsHandlers(context, ports.news),
      ...helpHandlers(context, supportEmail)
    }
  )
  describeApi(api, `${BRAND.name} API`)
  api.onError(handleError(context.log))
  api.notFound((http) => fail(http, knownPaths.some((path) => path.test(http.req.path)) ? 'method_not_allowed' : 'not_found'))
  return api
}

async function identityOf(context: Context, customer: Parameters<typeof readIdentityData>[1]) {
  const kycData = await readIdentityData(context, customer)
  return { kycData, isVerified: isVerified(kycData) }
}
