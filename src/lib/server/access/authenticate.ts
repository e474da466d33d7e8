import type { Context as HonoContext } from 'hono'
import { decodeJwt } from 'jose'
import type { Customer } from '../platform/actor.ts'
import type { ApiEnv } from '../platform/api/types.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import type { Limit } from '../platform/limits.ts'
import { findByAccessToken } from './sessions/find.ts'

const BEARER = /^Bearer ([\w.-]{1,2000})$/

/**
 * Accepts a bearer token, or the customer of an in-process call. Never the page cookie: a foreign site could make the browser send
 * it. Throws `unauthorized`. With a token, it counts against `limitsOf` the customer in the same statement (`isCounted`), and throws
 * `too_many_requests`.
 */
export async function authenticate(
  context: Context,
  http: HonoContext<ApiEnv>,
  limitsOf: (userId: string) => Limit[]
): Promise<{ customer: Customer; isCounted: boolean }> {
  if (http.env?.customer) return { customer: http.env.customer, isCounted: false }
  const token = BEARER.exec(http.req.header('authorization') ?? '')?.[1]
  const customer = token ? await findByAccessToken(context, token, limitsOf) : undefined
  if (!customer) throw new AppError('unauthorized')
  return { customer, isCounted: true }
}

/** The expiry of the bearer token of an authenticated call; undefined for an in-process call, which has no token. */
export function bearerExpiry(http: HonoContext<ApiEnv>): Date | undefined {
  const token = BEARER.exec(http.req.header('authorization') ?? '')?.[1]
  const { exp } = token ? decodeJwt(token) : {}
  return exp === undefined ? undefined : new Date(exp * 1000)
}
