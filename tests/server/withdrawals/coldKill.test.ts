/** The signer is killed at ten moments of a move to cold storage: every coin goes there once, and the books agree. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { sandboxMine } from '#lib/server/chains/adapters/sandboxWorld.ts'
import { houseAddress, openJournal } from '#lib/server/chains/index.ts'
import { openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { compareCustody } from '#lib/server/withdrawals/index.ts'
import { COLD_ENV, prove } from '#support/cold.ts'
import { freshDatabase } from '#support/databases.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

const KILLS = 10
const EACH = units('CPC', 20_000_000)
const DUE_EVERY_MS = 5000
const folder = mkdtempSync(join(tmpdir(), 'cold-'))
const env = { ...COLD_ENV, COLD_DAY_CPC: '999999999', SIGNER_JOURNAL: join(folder, 'signer.sqlite') }
let test: TestApp
let DATABASE_URL = ''
let signer: ServerProcess | undefined

beforeAll(async () => {
  DATABASE_URL = await freshDatabase(inject('postgresUrl'))
  const connection = await openPostgres(DATABASE_URL, { poolSize: 6, onLost: () => undefined })
  test = await createTestApp({ connection, clock: () => new Date(), env: COLD_ENV })
  const journal = openJournal(env.SIGNER_JOURNAL)
  const wallet = await test.app.ports.coldWallet('cpc')
  if (!wallet) throw new Error('The settings name it')
  await prove(journal, wallet)
  journal.close()
})
afterAll(async () => {
  await signer?.kill()
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

const count = async (query: ReturnType<typeof sql>) =>
  Number(rowsOf<{ count: string }>(await test.app.context.db.execute(query))[0]?.count)
const isDue = () =>
  test.app.context.db.execute(sql`update jobs set run_at = now() - interval '1 second', failed_at = null where kind = 'cold_cpc'`)
const moves = () => count(sql`select count(*) from chain_sends where purpose = 'cold'`)
const wait = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

it('moves the coins of each round once, whenever it is killed', { timeout: 240_000 }, async () => {
  const w = withdrawalsOf(test)
  await w.fillPool()
  await w.follow('cpc')
  const hot = await houseAddress(test.app.context.db, test.app.chains.deposits.proof, 'cpc', 'hot')
  signer = await startServer({ DATABASE_URL, ROLE: 'signer', ...env })
  for (let round = 0; round < KILLS; round += 1) {
    await w.pay('cpc', { address: hot?.address ?? '', token: 'CPC', amount: EACH })
    await w.mine('cpc', 12)
    const before = await moves()
    await isDue()
    // Killed as soon as something shows: the journal's entry, the row, or a moment after either.
    for (let looks = 0; looks < 400 && (await moves()) === before && round % 2 === 1; looks += 1) await wait(5)
    await wait(round % 2 === 1 ? 3 * round : 40 + 35 * round)
    await signer.kill()
    signer = await startServer({ DATABASE_URL, ROLE: 'signer', ...env })
    // Not more often: a run that has begun loses its lease by it, and on a slow machine none would come to its end.
    let dueAt = Number.NEGATIVE_INFINITY
    await expect
      .poll(
        async () => {
          if (performance.now() - dueAt > DUE_EVERY_MS) {
            await isDue()
            dueAt = performance.now()
          }
          return moves()
        },
        { timeout: 90_000, interval: 300 }
      )
      .toBe(before + 1)
    await w.send('cpc')
    await sandboxMine(test.app.context, 'cpc', 12)
    await w.follow('cpc')
  }
  await isDue()
  await wait(1500)
  expect(await moves(), 'and no further one').toBe(KILLS)
  const { address } = (await test.app.ports.coldWallet('cpc'))?.addressAt('cold', 0) ?? { address: '' }
  const arrived = await count(sql`
    select count(*) from sandbox_blocks b, jsonb_array_elements(b.transactions) t, jsonb_array_elements(t->'payments') p
    where p->>'address' = ${address}`)
  expect(arrived).toBe(KILLS)
  expect(await count(sql`select count(*) from chain_strays`)).toBe(0)
  const [line] =
    (await compareCustody(test.app.context, await test.app.ports.chainNode('cpc'), test.app.chains.deposits.proof)) ?? []
  expect(line?.onChain).toBe(line?.expected)
  expect(Number(line?.hot) / Number(line?.onChain)).toBeLessThan(0.06)
})
