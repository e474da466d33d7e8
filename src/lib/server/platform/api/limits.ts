/** Turns the limits of a call into counters. */
import type { Context as HonoContext } from 'hono'
import type { CallName } from '#lib/contract/calls.ts'
import type { Limits } from '#lib/contract/rules.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { countAgainst, giveBack, type Limit } from '../limits.ts'
import { limitKeyOf } from './clientAddress.ts'
import type { ApiEnv } from './types.ts'

/** All unknown browsers together may try this many times as often as one address. */
const STRANGERS_TIMES = 5

/** The limits that are known before the body is read: by address and by account. */
export function limitsOfCaller(
  call: CallName,
  { address: byAddress, account, isForgettable }: Limits,
  { address, userId }: { address: string; userId?: string | undefined }
): Limit[] {
  return [
    ...(byAddress ? [{ key: `${call}:address:${limitKeyOf(address)}`, ...byAddress, isForgettable }] : []),
    ...(account && userId ? [{ key: `${call}:customer:${userId}`, ...account, isForgettable }] : [])
  ]
}

/**
 * The limits of the email that is tried. A browser in which the account's owner has signed in has its own counters, which nobody
 * else can use up; all other browsers are counted by address and together.
 */
export function limitsOfEmail(
  call: CallName,
  { short, day }: NonNullable<Limits['email']>,
  { address, email, knownDevice }: { address: string; email: string; knownDevice: string | undefined }
): Limit[] {
  if (knownDevice) {
    return [
      { key: `${call}:device:${email}:${knownDevice}`, ...short },
      { key: `${call}:device:day:${email}:${knownDevice}`, max: day.max * STRANGERS_TIMES, windowSeconds: day.windowSeconds }
    ]
  }
  const from = limitKeyOf(address)
  return [
    { key: `${call}:email:${email}:${from}`, ...short },
    { key: `${call}:email:${email}`, max: short.max * STRANGERS_TIMES, windowSeconds: short.windowSeconds },
    { key: `${call}:day:${email}:${from}`, ...day },
    { key: `${call}:day:${email}`, max: day.max * STRANGERS_TIMES, windowSeconds: day.windowSeconds }
  ]
}

export type LimitedCall = {
  name: CallName
  limits: NonNullable<Limits['email']>
  address: string
  email: string
  http: HonoContext<ApiEnv>
}
export type EmailLimits = (call: LimitedCall, run: () => Promise<unknown>) => Promise<unknown>

/** `knownDevice` returns the browser's id if the browser has its own limits for the email address. */
export function underEmailLimits(context: Context, knownDevice: (call: LimitedCall) => Promise<string | undefined>): EmailLimits {
  return async (call, run) => {
    const { name, limits, address, email } = call
    const counted = limitsOfEmail(name, limits, { address, email, knownDevice: await knownDevice(call) })
    await countAgainst(context, counted)
    try {
      const answer = await run()
      if (limits.refunds === 'success')
        await giveBack(context, counted).catch((error: unknown) =>
          context.log.warn({ call: name, err: error }, 'a use was not given back')
        )
      return answer
    } catch (error) {
      if (isRefunded(limits.refunds, error)) await giveBack(context, counted)
      throw error
    }
  }
}

/** True if the failed call does not count, e.g. a right password that still needs its second factor. */
function isRefunded(refunds: 'success' | 'too_soon', error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  return refunds === 'success' ? error.code === 'second_factor_required' : error.code === 'too_soon'
}
