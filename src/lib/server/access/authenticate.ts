import type { Context as HonoContext } from 'hono'
import { decodeJwt } from 'jose'
import type { Customer } from '../platform/actor.ts'
import type { ApiEnv } from '../platform/api/types.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { findByAccessToken } from './sessions/find.ts'

const BEARER = /^Bearer ([\w.-]{1,2000})$/

/**
 * Accepts a bearer token, or the customer of an in-process call. Never the page cookie: a foreign site could make the browser send
 * it. Throws `unauthorized`.
 */
export async function authenticate(context: Context, http: HonoContext<ApiEnv>): Promise<Customer> {
  if (http.env?.customer) return http.env.customer
  const token = BEARER.exec(http.req.header('authorization') ?? '')?.[1]
  const customer = token ? await findByAccessToken(context, token) : undefined
  if (!customer) throw new AppError('unauthorized')
  return customer
}

/** The expiry of the bearer token of an authenticated call; undefined for an in-process call, which has no token. */
export function bearerExpiry(http: HonoContext<ApiEnv>): Date | undefined {
  const token = BEARER.exec(http.req.header('authorization') ?? '')?.[1]
  const { exp } = token ? decodeJwt(token) : {}
  return exp === undefined ? undefined : new Date(exp * 1000)
}
