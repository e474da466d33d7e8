/** Creates customers directly: writes the rows that a sign-up and a passed identity check leave, in one transaction, without mails. */
import { randomUUID } from 'node:crypto'
import { maskDocumentNumber } from '#lib/domain/identity/check.ts'
import { findUserByReferralCode } from '#lib/server/access/find.ts'
import { hashPassword } from '#lib/server/access/passwords.ts'
import { users } from '#lib/server/access/schema.ts'
import { type OpenedSession, openSession } from '#lib/server/access/sessions/open.ts'
import { accountTerms, keepAcceptance } from '#lib/server/access/terms.ts'
import type { Application } from '#lib/server/app/compose.ts'
import { sandboxBirthday } from '#lib/server/identity/adapters/sandbox.ts'
import { identityChecks } from '#lib/server/identity/schema.ts'
import { hashToken, randomReadable, randomToken } from '#lib/server/platform/crypto.ts'
import { transact } from '#lib/server/platform/transaction.ts'

export const PASSWORD = 'correct horse battery'
const REFERRAL_CODE_LENGTH = 8
/** The data that the sandbox's identity check would return. */
const ADA = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  country: 'AUT',
  idDocs: [{ idDocType: 'PASSPORT', number: maskDocumentNumber('SANDBOX4711'), validUntil: '2034-12-31' }]
}

let passwordHash: Promise<string> | undefined

type Wish = { email?: string; referralCode?: string; unverified?: true }
export type MadeCustomer = OpenedSession & { email: string; browser: string }

/** A customer who has just signed up in a new browser; verified by default. */
export async function makeCustomer(
  { context }: Pick<Application, 'context'>,
  { email = `${randomUUID()}@example.com`, referralCode, unverified }: Wish = {}
): Promise<MadeCustomer> {
  passwordHash ??= hashPassword(PASSWORD)
  const hash = await passwordHash
  const browser = randomToken()
  const opened = await transact(context, async (work) => {
    const { tx, now } = work
    const inviter = referralCode ? await findUserByReferralCode(tx, referralCode) : undefined
    const [user] = await tx
      .insert(users)
      .values({
        email,
        passwordHash: hash,
        phone: '+43 660 1234567',
        referralCode: randomReadable(REFERRAL_CODE_LENGTH),
        referredBy: inviter?.id ?? null,
        createdAt: now,
        updatedAt: now
      })
      .returning()
    if (!user) throw new Error('The database returned no user row')
    await keepAcceptance(work, user.id, accountTerms())
    if (!unverified)
      await tx.insert(identityChecks).values({
        userId: user.id,
        applicantId: `sandbox-${user.id}`,
        reviewStatus: 'completed',
        info: { ...ADA, dob: sandboxBirthday(user.id) },
        statusAt: now,
        createdAt: now,
        updatedAt: now
      })
    const device = { holder: hashToken(browser), askedFrom: '', userAgent: '', address: '' }
    return openSession(context, work, user, device, 'sign_up')
  })
  return { ...opened, email, browser: `browser=${browser}` }
}
