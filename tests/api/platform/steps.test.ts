/** The database allows exactly the state changes in the domain's tables of steps. */
import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ORDER_STATUS, ORDER_STEPS } from '#lib/domain/orders/order.ts'
import { WITHDRAWAL_STATES, WITHDRAWAL_STEPS } from '#lib/domain/withdrawals/withdrawal.ts'
import { databaseError } from '#lib/server/platform/db/faults.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

/** The name of the constraint that refuses a change; undefined if the change succeeds. */
async function refusedBy(change: SQL): Promise<string | undefined> {
  try {
    await test.app.context.db.execute(change)
    return undefined
  } catch (error) {
    return databaseError(error).constraint ?? 'another error'
  }
}

it('of a withdrawal', async () => {
  const w = withdrawalsOf(test)
  const customer = await test.customer()
  await w.fund(customer, 'ETH', units('ETH', 1))
  const id = await w.confirmed(customer, 'ETH', units('ETH', 0.1))
  for (const from of WITHDRAWAL_STATES)
    for (const to of WITHDRAWAL_STATES.filter((state) => state !== from)) {
      await behindTheBack(test.app.context.db, sql`update withdrawals set state = ${from} where id = ${id}`)
      const refused = await refusedBy(sql`update withdrawals set state = ${to} where id = ${id}`)
      expect(refused === undefined, `${from} to ${to}: ${refused}`).toBe(WITHDRAWAL_STEPS[from].includes(to))
    }
})

it('of an order', async () => {
  const customer = await test.customer()
  const body = { comboConfigId: 82, bankAccountId: 1 }
  const { id } = (await test.send('POST', '/orders/combo', { token: customer.token, body })).body.data
  const statuses = Object.values(ORDER_STATUS)
  for (const from of statuses)
    for (const to of statuses.filter((status) => status !== from)) {
      await behindTheBack(test.app.context.db, sql`update orders set status = ${from} where id = ${id}`)
      const refused = await refusedBy(sql`update orders set status = ${to} where id = ${id}`)
      expect(refused === undefined, `${from} to ${to}: ${refused}`).toBe(ORDER_STEPS[from].includes(to))
    }
})

it.each([
  ["update withdrawals set state = 'paused'", 'withdrawals_state_known'],
  ['update withdrawals set usd_cents = -1', 'withdrawals_amounts'],
  ['update orders set euro_cents_to_pay = 0', 'orders_amounts']
])('and no word or amount beyond them: %s', async (change, constraint) => {
  const customer = await test.customer()
  await test.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId: 82, bankAccountId: 1 } })
  const error = await behindTheBack(test.app.context.db, sql.raw(change)).catch((thrown: unknown) => thrown)
  expect(databaseError(error).constraint).toBe(constraint)
})
