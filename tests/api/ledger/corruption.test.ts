/** `ledger:verify` finds every way in which somebody with full database rights could falsify the books. */
import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ledgerChecks } from '#lib/server/app/features.ts'
import { verifyLedger } from '#lib/server/ledger/index.ts'
import type { Database } from '#lib/server/platform/db/client.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let ids: { staked: string; plain: string; open: string; other: string }

/** Two completed orders of an invited customer, one of them staked; an open order, an unmatched payment, and a transfer. */
beforeAll(async () => {
  test = await createTestApp()
  const inviter = await test.customer()
  const { referralCode } = (await test.send('GET', '/users/profile', { token: inviter.token })).body.data
  const customer = await test.customer({ referralCode })
  const buy = async (comboConfigId: number) => {
    const body = { comboConfigId, bankAccountId: 1 }
    const { id, euroToPay } = (await test.send('POST', '/orders/combo', { token: customer.token, body })).body.data
    await test.arrive({ amountCents: BigInt(euroToPay.replace('.', '')), remittance: id, entryId: `entry-${comboConfigId}` })
    return id
  }
  const body = { comboConfigId: 20, bankAccountId: 1 }
  const open = (await test.send('POST', '/orders/combo', { token: customer.token, body })).body.data.id
  ids = { staked: await buy(83), plain: await buy(19), open, other: inviter.userId }
  await test.arrive({ amountCents: 777n, entryId: 'entry-unmatched' })
  await test.send('POST', '/users/balance/transfer-from-spot-to-funding', {
    token: customer.token,
    body: { currency: 'CPC', amount: '500' }
  })
})
afterAll(() => test.close())

/** Runs the statements with all triggers off, returns the problems that `verifyLedger` finds, and rolls back. */
async function problemsAfter(...statements: SQL[]): Promise<string[]> {
  let problems: string[] = []
  class Undo extends Error {}
  await test.app.context.db
    .transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`)
      for (const statement of statements) await tx.execute(statement)
      problems = (await verifyLedger(tx as unknown as Database, ledgerChecks)).problems
      throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
  return problems
}

const CORRUPTIONS: [what: string, statements: () => SQL[]][] = [
  ['a posting has one more', () => [sql`update postings set amount = amount + 1 where id = (select min(id) from postings)`]],
  ['a posting has one less', () => [sql`update postings set amount = amount - 1 where id = (select max(id) from postings)`]],
  ['a posting is gone', () => [sql`delete from postings where id = (select max(id) from postings)`]],
  [
    'a transfer is gone with its transaction',
    () => [
      sql`delete from postings where transaction_id in (select id from ledger_transactions where reason = 'moved_between_accounts')`,
      sql`delete from ledger_transactions where reason = 'moved_between_accounts'`
    ]
  ],
  ['a balance has one more', () => [sql`update accounts set balance = balance + 1 where id = (select min(id) from accounts)`]],
  [
    'two balances are changed against each other',
    () => [
      sql`update accounts set balance = balance + 1 where id = (select min(id) from accounts where currency = 'CPC')`,
      sql`update accounts set balance = balance - 1 where id = (select max(id) from accounts where currency = 'CPC')`
    ]
  ],
  ['a payment is of another order', () => [sql`update payments set order_id = ${ids.open} where order_id = ${ids.staked}`]],
  ['a completed order is open again', () => [sql`update orders set status = 0 where id = ${ids.plain}`]],
  [
    'a posting goes to another account',
    () => [
      sql`update postings set destination_id =
            (select min(a.id) from accounts a where a.currency = 'EUR' and a.id not in (postings.source_id, postings.destination_id))
          where id = (select max(id) from postings where currency = 'EUR')`
    ]
  ],
  ['an order has ten times its tokens', () => [sql`update orders set cpc_units = cpc_units * 10 where id = ${ids.plain}`]],
  [
    'an order has another euro amount',
    () => [sql`update orders set euro_cents_to_pay = euro_cents_to_pay + 1 where id = ${ids.plain}`]
  ],
  ['a stake has ten times its tokens', () => [sql`update stakes set units = units * 10`]],
  ['a stake is gone', () => [sql`delete from stakes`]],
  [
    'a matched payment has ten times its amount',
    () => [sql`update payments set amount_cents = amount_cents * 10 where outcome = 'matched'`]
  ],
  [
    'an unmatched payment has ten times its amount',
    () => [sql`update payments set amount_cents = amount_cents * 10 where outcome <> 'matched'`]
  ],
  ['a matched payment is gone', () => [sql`delete from payments where order_id = ${ids.plain}`]],
  ['an unmatched payment is gone', () => [sql`delete from payments where outcome <> 'matched'`]],
  ['an order is of another customer', () => [sql`update orders set user_id = ${ids.other} where id = ${ids.plain}`]],
  [
    'a posting in the middle says another balance after it',
    () => [
      sql`update postings set destination_balance = destination_balance + 1
          where id = (select min(p.id) from postings p join accounts a on a.id = p.destination_id and a.kind = 'spot')`
    ]
  ],
  [
    'an order credited twice its tokens, with all balances made to fit',
    () => [
      sql`update accounts set balance = balance + p.amount from postings p
          where accounts.id = p.destination_id and p.id = (select max(id) from postings where currency = 'PTC')`,
      sql`update accounts set balance = balance - p.amount from postings p
          where accounts.id = p.source_id and p.id = (select max(id) from postings where currency = 'PTC')`,
      sql`update postings set amount = amount * 2, source_balance = source_balance - amount, destination_balance = destination_balance + amount
          where id = (select max(id) from postings where currency = 'PTC')`
    ]
  ]
]

describe('ledger:verify', () => {
  it('finds nothing where nothing is wrong', async () => {
    expect((await test.verifyLedger()).problems).toEqual([])
  })

  it.each(CORRUPTIONS)('finds it when %s', async (_, statements) => {
    expect(await problemsAfter(...statements())).not.toEqual([])
  })

  it.each([
    ['payments', sql`update payments set amount_cents = 1`],
    ['payments', sql`delete from payments`],
    ['accounts', sql`update accounts set balance = balance + 1`],
    ['postings', sql`update postings set amount = 1`],
    ['postings', sql`delete from postings`],
    ['ledger_transactions', sql`update ledger_transactions set reason = 'adjustment'`]
  ])('has nothing to find in %s that was changed without all rights: %#', async (_, statement) => {
    await expect(test.app.context.db.execute(statement)).rejects.toThrow()
    expect(rowsOf(await test.app.context.db.execute(sql`select 1 as one`))).toHaveLength(1)
    expect((await test.verifyLedger()).problems).toEqual([])
  })
})
