import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUps } from '#lib/server/app/features.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { cleanUp } from '#lib/server/platform/jobs/cleanUp.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

async function count(table: string): Promise<number> {
  const [row] = rowsOf<{ n: number }>(await test.app.context.db.execute(sql.raw(`select count(*)::int as n from ${table}`)))
  return row?.n ?? Number.NaN
}

describe('sweeping', () => {
  it('removes what has expired, and nothing that is still valid', async () => {
    const { token } = await test.customer()
    await test.send('POST', '/users/signin/otp/request', { body: { email: 'nobody@example.com' } })
    await test.send('POST', '/orders/combo', {
      token,
      body: { comboConfigId: 82, bankAccountId: 1 },
      headers: { 'idempotency-key': 'x' }
    })
    await cleanUp(test.app.context, cleanUps)
    expect([await count('codes'), await count('idempotency_keys'), await count('sessions'), await count('orders')]).toEqual([
      1, 1, 1, 1
    ])
    test.pass(121 * 86_400)
    await cleanUp(test.app.context, cleanUps)
    expect([
      await count('codes'),
      await count('idempotency_keys'),
      await count('sessions'),
      await count('refresh_tokens'),
      await count('rate_limits')
    ]).toEqual([0, 0, 0, 0, 0])
    expect([await count('orders'), await count('users')]).toEqual([1, 1])
  })
})
