import type { Context as HonoContext } from 'hono'
import type { Customer } from '../platform/actor.ts'
import type { ApiEnv } from '../platform/api/types.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { findByAccessToken } from './sessions/find.ts'

const BEARER = /^Bearer ([\w.-]{1,2000})$/

/** Accepts only the bearer, so that a foreign site cannot use the page cookie. Throws `unauthorized`. */
export async function authenticate(context: Context, http: HonoContext<ApiEnv>): Promise<Customer> {
  if (http.env?.customer) return http.env.customer
  const token = BEARER.exec(http.req.header('authorization') ?? '')?.[1]
  const customer = token ? await findByAccessToken(context, token) : undefined
  if (!customer) throw new AppError('unauthorized')
  return customer
}
