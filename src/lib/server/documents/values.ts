/** The customer of a document, and the values of movements by the prices of their days. */
import { eq } from 'drizzle-orm'
import { findToken } from '#lib/domain/money/currencies.ts'
import { centsIn, valueInCents } from '#lib/domain/rates/prices.ts'
import { displayName } from '#lib/format/names.ts'
import type { Locale } from '#lib/messages/locale.ts'
import { users } from '../access/index.ts'
import { readIdentityOf } from '../identity/index.ts'
import type { Movement } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { dailyFigures, utcDay } from '../rates/index.ts'
import { isWritable } from './fonts.ts'

export type Holder = { userId: string; email: string; name: string | null; locale: Locale }

/**
 * The name comes from the identity check: a document must not carry a name that somebody only typed. Throws if there is no such customer.
 */
export async function readHolder(context: Context, userId: string): Promise<Holder> {
  const [user] = await context.db.select().from(users).where(eq(users.id, userId))
  if (!user) throw new Error(`There is no customer ${userId}`)
  const kycData = await readIdentityOf(context.db, userId)
  return { userId, email: user.email, name: verifiedName(kycData), locale: user.locale }
}

function verifiedName(kycData: Awaited<ReturnType<typeof readIdentityOf>>): string | null {
  const name = displayName({ name: null, kycData })
  // If our fonts lack a letter of the name, only the e-mail address says whose document it is.
  return name && isWritable(name) ? name : null
}

/** In cents, with the sign of the amount; undefined if no price of the day was kept. */
export type Value = { usdCents: bigint | undefined; eurCents: bigint | undefined }

/** Values by the prices of a UTC day (yyyy-mm-dd). The figures of a day are read once. */
export function valuer(db: Executor) {
  const known = new Map<string, { prices: Record<string, string>; eurPerUsd: string | undefined }>()
  return {
    /** Call it before `valueOn`, for all days at once. */
    load: async (days: string[]): Promise<void> => {
      const missing = [...new Set(days)].filter((day) => !known.has(day))
      for (const [day, figures] of await dailyFigures(db, missing)) known.set(day, figures)
    },
    valueOn: (day: string, currency: string, units: bigint): Value => {
      const figures = known.get(day)
      const price = figures?.prices[currency]
      if (!price || !findToken(currency)) return { usdCents: undefined, eurCents: undefined }
      const sign = units < 0n ? -1n : 1n
      const usdCents = valueInCents(sign * units, currency, price)
      const eurCents = figures?.eurPerUsd ? centsIn('EUR', usdCents, figures.eurPerUsd) : undefined
      return { usdCents: sign * usdCents, eurCents: eurCents === undefined ? undefined : sign * eurCents }
    }
  }
}
export type Valuer = ReturnType<typeof valuer>

export const dayOf = ({ at }: Pick<Movement, 'at'>): string => utcDay(at)
