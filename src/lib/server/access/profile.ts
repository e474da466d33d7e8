import { eq, sql } from 'drizzle-orm'
import type { KycData, Profile } from '#lib/contract/types.ts'
import type { WithdrawalGate } from '#lib/domain/access/withdrawalGate.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { builtOnce } from '../platform/db/builtOnce.ts'
import { AppError } from '../platform/errors.ts'
import type { ReadGate } from './holds.ts'
import { users } from './schema.ts'
import { ACCEPTED, termsToAccept } from './terms.ts'

/** The customer's identity check, and the gate that depends on it. `app` passes both in, because identity is a later feature. */
export type IdentityReads = { readCheck: (customer: Customer) => Promise<KycData>; readGate: ReadGate }

type Settings = Profile['settings']

export function presentWithdrawals({ until, ...gate }: WithdrawalGate): Profile['withdrawals'] {
  return { ...gate, until: until?.toISOString() ?? null }
}

const profileOf = builtOnce((db) =>
  db
    .select({
      userId: users.id,
      email: users.email,
      name: users.name,
      phone: users.phone,
      referralCode: users.referralCode,
      referredBy: users.referredBy,
      createdAt: users.createdAt,
      displayCurrency: users.displayCurrency,
      timeZone: users.timeZone,
      mutedMails: users.mutedMails,
      accepted: ACCEPTED
    })
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('profile')
)

export async function readProfile(
  context: Context,
  customer: Customer,
  { readCheck, readGate }: IdentityReads
): Promise<Profile> {
  const { db } = context
  const [[user], kycData, gate] = await Promise.all([
    profileOf(db).execute({ id: customer.userId }),
    readCheck(customer),
    readGate(db, customer.userId, context.clock())
  ])
  if (!user) throw new AppError('unauthorized')
  const [inviter] = user.referredBy ? await profileOf(db).execute({ id: user.referredBy }) : []
  return {
    userId: user.userId,
    email: user.email,
    name: user.name,
    phone: user.phone,
    address: null,
    referralCode: user.referralCode,
    targetReferralCode: inviter?.referralCode ?? null,
    fbUid: null,
    createdAt: user.createdAt.toISOString(),
    kycData,
    withdrawals: presentWithdrawals(gate),
    settings: { displayCurrency: user.displayCurrency, timeZone: user.timeZone, mutedMails: user.mutedMails },
    termsToAccept: termsToAccept(user.accepted)
  }
}

/** Changes name and phone; an empty name removes it. */
export async function updateProfile(
  context: Context,
  customer: Customer,
  { name, phone }: { name?: string | undefined; phone?: string | undefined }
): Promise<void> {
  await context.db
    .update(users)
    .set({
      ...(name !== undefined && { name: name || null }),
      ...(phone !== undefined && { phone }),
      updatedAt: context.clock()
    })
    .where(eq(users.id, customer.userId))
}

/** Changes only the settings that are given. */
export async function updateSettings(context: Context, customer: Customer, settings: Partial<Settings>): Promise<void> {
  await context.db
    .update(users)
    .set({ ...settings, updatedAt: context.clock() })
    .where(eq(users.id, customer.userId))
}

/** Stores the newest notice that the customer has seen; an older id changes nothing. */
export async function keepSeenNotice({ db }: Pick<Context, 'db'>, { userId }: Customer, id: bigint): Promise<void> {
  await db
    .update(users)
    .set({ seenNotice: sql`greatest(${users.seenNotice}, ${id})` })
    .where(eq(users.id, userId))
}
