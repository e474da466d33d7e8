/** What the tests of the desk's payments share: the worker's part of a decision, and a member of staff who is a customer, too. */
import { sql } from 'drizzle-orm'
import { withUploads } from '#lib/server/payments/bankFiles.ts'
import { carryOutInstructions } from '#lib/server/payments/instruct.ts'
import { readBank } from '#lib/server/payments/read.ts'
import type { PaymentHooks } from '#lib/server/payments/receive.ts'
import { mayStill } from '#lib/server/staff/index.ts'
import type { Member } from './desk.ts'
import { hooks } from './hooks.ts'
import type { Customer, TestApp } from './testApp.ts'

/** A customer with this member's e-mail and a name of their own. */
export async function staffCustomer(test: TestApp, { email }: Member): Promise<Customer> {
  const made = await test.customer({ email })
  const name = JSON.stringify({ firstName: 'Clerk', lastName: email.split('@')[0] })
  await test.app.context.db.execute(sql`update identity_checks set info = info || ${name}::jsonb where user_id = ${made.userId}`)
  return made
}

const portsOf = (test: TestApp) => ({ rates: test.app.ports.rates, ...hooks })

/** Carries out what the desk has decided, as the worker does; above 5,000 EUR a second person must have agreed. */
export const carryOut = (test: TestApp, ports: PaymentHooks = hooks) =>
  carryOutInstructions(
    test.app.context,
    { ...portsOf(test), ...ports },
    {
      aboveCents: async () => 500_000n,
      mayDecide: (db, id, kind) => mayStill(db, id, kind === 'assign' ? 'assign_payment' : 'refund_payment')
    }
  )

/** Reads the bank's entries and the accepted uploads, as the worker does. */
export const readAll = (test: TestApp) =>
  readBank(test.app.context, withUploads(test.app.ports.bank, test.app.context.db), portsOf(test))
