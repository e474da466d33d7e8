/** Workers and signers are killed at various moments: every withdrawal is still paid exactly once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { CHAINS, type Chain, type ChainToken, chainOf } from '#lib/domain/chains/chains.ts'
import { sandboxMine } from '#lib/server/chains/adapters/sandboxWorld.ts'
import { openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { compareCustody } from '#lib/server/withdrawals/index.ts'
import { freshDatabase } from '#support/databases.ts'
import { expectDurable } from '#support/durable.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

const KILLS = 8
const EACH = 4
const AMOUNTS: [ChainToken, number][] = [
  ['ETH', 0.05],
  ['BTC', 0.002],
  ['CPC', 40]
]
const folder = mkdtempSync(join(tmpdir(), 'signer-'))
let test: TestApp
let DATABASE_URL = ''
const running = new Map<string, ServerProcess>()

beforeAll(async () => {
  DATABASE_URL = await freshDatabase(inject('postgresUrl'))
  const connection = await openPostgres(DATABASE_URL, { poolSize: 6, onLost: () => undefined })
  await expectDurable(connection.db)
  test = await createTestApp({ connection, clock: () => new Date() })
})
afterAll(async () => {
  for (const process of running.values()) await process.kill()
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

async function start(role: 'worker' | 'signer'): Promise<void> {
  running.set(role, await startServer({ DATABASE_URL, ROLE: role, SIGNER_JOURNAL: join(folder, 'signer.sqlite') }))
}

const count = async (query: ReturnType<typeof sql>) =>
  Number(rowsOf<{ count: string }>(await test.app.context.db.execute(query))[0]?.count)

/** True if new blocks are useful. On a chain that always grows, the worker never reaches the newest block, and nothing is signed. */
const hasSomething = async (chain: Chain) =>
  (await count(sql`
    select (select count(*) from sandbox_mempool where chain = ${chain})
      + (select count(*) from chain_attempts a join chain_sends s on s.id = a.send_id and s.state = 'signed'
         where a.chain = ${chain} and a.height is not null) as count`)) > 0

it('pays each withdrawal once, whoever is killed, and the books are right', { timeout: 240_000 }, async () => {
  const w = withdrawalsOf(test)
  await w.stock()
  const total = AMOUNTS.length * EACH
  for (const [currency, amount] of AMOUNTS) {
    const customer = await test.customer()
    await w.fund(customer, currency, units(currency, amount * EACH))
    for (let index = 0; index < EACH; index += 1) await w.confirmed(customer, currency, units(currency, amount))
  }
  await Promise.all([start('worker'), start('signer')])
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Kills at a different moment of their work each time.
    await new Promise((resume) => setTimeout(resume, 700 + 430 * kill))
    const role = kill % 2 === 0 ? 'signer' : 'worker'
    await running.get(role)?.kill()
    await sandboxMine(test.app.context, chainOf(AMOUNTS[kill % AMOUNTS.length]?.[0] ?? 'ETH'), 1)
    await start(role)
  }
  await expect
    .poll(
      async () => {
        for (const chain of CHAINS) if (await hasSomething(chain)) await sandboxMine(test.app.context, chain, 3)
        return count(sql`select count(*) from withdrawals where state = 'confirmed'`)
      },
      { timeout: 150_000, interval: 3000 }
    )
    .toBe(total)
  // Counted on the chains: one payment per withdrawal, of its amount less the fee.
  const paid = await count(sql`
    select count(*) from sandbox_blocks b, jsonb_array_elements(b.transactions) t, jsonb_array_elements(t->'payments') p
    join withdrawals w on p->>'address' = w.receiver and p->>'amount' = (w.amount - w.fee)::text
    where w.id = (select id from withdrawals v where v.receiver = w.receiver and v.amount = w.amount order by id limit 1)`)
  expect(paid).toBe(total)
  expect(await count(sql`select count(*) from chain_strays`)).toBe(0)
  for (const chain of CHAINS) {
    await w.follow(chain)
    const lines =
      (await compareCustody(test.app.context, await test.app.ports.chainNode(chain), test.app.chains.deposits.proof)) ?? []
    expect(lines.map(({ token, onChain }) => [token, onChain])).toEqual(lines.map(({ token, expected }) => [token, expected]))
  }
  expect(await count(sql`select count(*) from chain_stops where resumed_at is null`)).toBe(0)
})
