/** The load's mixture on a database of three machines, whose primary loses its power meanwhile: what fails, for how long, and what does not. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { migratePostgres, openPostgres } from '#lib/server/platform/db/client.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { createTestApp } from '#support/testApp.ts'
import { startBed, wait, whatIsMissing } from '../failover/bed.ts'
import { type Ask, atRate, quantile } from './measured.ts'
import { AT_ONCE, isQuick, LOADED, makeWorld, nextOf } from './world.ts'

const FOLDER = '/run/wallet-failover'
/** Three databases, their Patroni and etcd share the cores: less than one database alone would carry. */
const RATE = isQuick ? 20 : 60
const WINDOW_SECONDS = 5
const KILLED_AFTER_SECONDS = 20
const BACK_AFTER_SECONDS = 60
const SECONDS = 100

/** `atS`: seconds from the beginning, when it was due. */
type Seen = { kind: string; atS: number; ms: number; isOk: boolean; status: number }

/** What can be told apart by what it needs. */
function kindOf({ name, method }: Ask): string {
  if (method === 'POST') return 'changes'
  if (name === 'page /help') return 'help'
  return name === 'page /news' ? 'news' : 'figures'
}

function print(seen: Seen[]): void {
  const kinds = ['changes', 'figures', 'news', 'help']
  console.log(`| seconds | ${kinds.map((kind) => `${kind}: answered | failed | p99 ms`).join(' | ')} |`)
  console.log(`| ---: | ${kinds.map(() => '---: | ---: | ---:').join(' | ')} |`)
  for (let from = 0; from < SECONDS; from += WINDOW_SECONDS) {
    const cells = kinds.map((kind) => {
      const own = seen.filter((one) => one.kind === kind && one.atS >= from && one.atS < from + WINDOW_SECONDS)
      const times = own.filter(({ isOk }) => isOk).map(({ ms }) => ms)
      const p99 =
        times.length === 0
          ? '–'
          : quantile(
              times.toSorted((one, other) => one - other),
              0.99
            ).toFixed(0)
      return `${times.length} | ${own.length - times.length} | ${p99}`
    })
    console.log(`| ${from} | ${cells.join(' | ')} |`)
  }
  for (const kind of kinds) {
    const failed = seen.filter((one) => one.kind === kind && !one.isOk).map(({ atS }) => atS)
    const span = failed.length === 0 ? 0 : Math.max(...failed) - Math.min(...failed)
    const all = seen.filter((one) => one.kind === kind).length
    const statuses = Object.groupBy(
      seen.filter((one) => one.kind === kind && !one.isOk),
      ({ status }) => String(status)
    )
    const counts = Object.entries(statuses).map(([status, list = []]) => `${list.length} with ${status}`)
    console.log(
      `${kind}: ${failed.length} of ${all} failed${counts.length > 0 ? ` (${counts.join(', ')})` : ''}, the last ${span.toFixed(1)} s after the first`
    )
  }
}

/** Prints what customers saw in windows of five seconds. */
export async function duringFailover(): Promise<void> {
  const missing = whatIsMissing()
  if (missing) throw new Error(missing)
  const folder = mkdtempSync(join(tmpdir(), 'load-failover-'))
  const bed = await startBed(FOLDER)
  const started: ServerProcess[] = []
  try {
    const { entry, standbyEntry } = bed
    const admin = new pg.Client(`postgres://postgres@${entry.host}:${entry.port}/postgres`)
    await admin.connect()
    await admin.query('create role wallet login superuser')
    await admin.query('create database wallet owner wallet')
    await admin.end()
    const url = `postgres://wallet@${entry.host}:${entry.port}/wallet`
    await migratePostgres(url)
    const connection = await openPostgres(url, { poolSize: AT_ONCE, onLost: () => undefined, patient: true })
    const test = await createTestApp({ connection, clock: () => new Date(), env: { ...LOADED, ROLE: 'web' } })
    const start = async (role: string) => {
      const env = { DATABASE_URL: url, DATABASE_STANDBY: `${standbyEntry.host}:${standbyEntry.port}`, ROLE: role }
      const one = await startServer({ ...LOADED, ...env, SIGNER_JOURNAL: join(folder, 'signer.sqlite') })
      started.push(one)
      return one
    }
    const world = await makeWorld(test)
    await connection.db.execute(sql`analyze`)
    await start('worker')
    const urls = [new URL((await start('web')).url), new URL((await start('web')).url)]
    await bed.untilWhole()
    const next = nextOf(world)
    // A process that has just started is slow.
    await atRate(urls, RATE, 10, next)
    const seen: Seen[] = []
    const began = performance.now()
    const running = atRate(urls, RATE, SECONDS, () => {
      const ask = next()
      const kind = kindOf(ask)
      return {
        ...ask,
        answered: (status, ms) => {
          const atS = (performance.now() - ms - began) / 1000
          seen.push({ kind, atS, ms, isOk: status >= 200 && status < 400, status })
        }
      }
    })
    await wait(KILLED_AFTER_SECONDS * 1000)
    const node = (await bed.members()).find(({ role }) => role === 'leader')?.name
    if (!node) throw new Error('The cluster has no primary')
    bed.killNode(node)
    await wait((BACK_AFTER_SECONDS - KILLED_AFTER_SECONDS) * 1000)
    bed.startNode(node)
    await running
    console.log(
      `${world.customers.length} customers, ${RATE} requests a second; the primary's machine is killed at ${KILLED_AFTER_SECONDS} s and comes back at ${BACK_AFTER_SECONDS} s\n`
    )
    print(seen)
    await bed.untilWhole()
    const { problems } = await test.verifyLedger()
    console.log(problems.length === 0 ? 'The books are right.' : `The books: ${problems.join('; ')}`)
    await test.close()
  } finally {
    for (const one of started) await one.kill().catch(() => undefined)
    await bed.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
