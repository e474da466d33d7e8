/** For the sandbox only: a customer whom the sandbox itself controls, just signed in. */
import { eq } from 'drizzle-orm'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { randomReadable } from '../platform/crypto.ts'
import { transact } from '../platform/transaction.ts'
import { UNUSABLE_PASSWORD } from './passwords.ts'
import { users } from './schema.ts'
import { findByAccessToken } from './sessions/find.ts'
import { openSession } from './sessions/open.ts'

const REFERRAL_CODE_LENGTH = 12
const DEVICE = { userAgent: 'sandbox', address: '127.0.0.1', holder: 'sandbox', askedFrom: 'sandbox' }

export async function sandboxCustomer(context: Context, email: string): Promise<Customer> {
  const { token } = await transact(context, async (work) => {
    const { tx, now } = work
    await tx
      .insert(users)
      .values({
        email,
        passwordHash: UNUSABLE_PASSWORD,
        phone: '',
        referralCode: randomReadable(REFERRAL_CODE_LENGTH),
        createdAt: now,
        updatedAt: now
      })
      .onConflictDoNothing({ target: users.email })
    const [user] = await tx.select().from(users).where(eq(users.email, email))
    if (!user) throw new Error('The database returned no user row')
    return openSession(context, work, user, DEVICE, 'sign_up')
  })
  const customer = await findByAccessToken(context, token)
  if (!customer) throw new Error('The session was not found again')
  return customer
}
