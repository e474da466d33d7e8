/** `access_gate`, the only place that decides if a customer may move coins away. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WithdrawalGate } from '#lib/domain/access/withdrawalGate.ts'
import { gateReader, holdWithdrawals, users } from '#lib/server/access/index.ts'
import { transact } from '#lib/server/platform/transaction.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const now = new Date('2026-11-21T12:00:00Z')
const later = new Date('2026-11-22T12:00:00Z')
type Standing = { isVerified: boolean; restUntil: Date | null; lockedAt: Date | null; isHeld: boolean }
const open: Standing = { isVerified: true, restUntil: null, lockedAt: null, isHeld: false }

it.each<[Standing, WithdrawalGate]>([
  [open, { allowed: true, reason: null, until: null }],
  [
    { ...open, isVerified: false },
    { allowed: false, reason: 'not_verified', until: null }
  ],
  [
    { ...open, restUntil: later },
    { allowed: false, reason: 'resting', until: later }
  ],
  [
    { ...open, isHeld: true, restUntil: later },
    { allowed: false, reason: 'held', until: null }
  ],
  [
    { ...open, restUntil: now },
    { allowed: true, reason: null, until: null }
  ],
  [
    { isVerified: false, restUntil: later, lockedAt: now, isHeld: true },
    { allowed: false, reason: 'locked', until: null }
  ]
])('%o', async ({ isVerified, restUntil, lockedAt, isHeld }, gate) => {
  const { context } = test.app
  const { userId } = await test.customer()
  await context.db.update(users).set({ withdrawalsRestUntil: restUntil, lockedAt }).where(eq(users.id, userId))
  if (isHeld)
    await transact(context, (work) =>
      holdWithdrawals(work, { userId, reason: 'deposit_reverted', sourceType: 'deposit', sourceId: userId })
    )
  const readGate = gateReader(() => sql`${isVerified}::boolean`)
  expect(await readGate(context.db, userId, now)).toEqual(gate)
})
