/**
 * `npm run load`: 10,000 customers who are signed in, and a day's mixture of pages and calls, at a rate that rises until one request in a hundred
 * takes longer than 300 ms; on one web process and on two, and at one rate on four, whose processor and statements a request alone are comparable:
 * they share the cores. Then, at two thirds of the rate of two, a news entry is published, and the bank's file of 5,000 entries comes: orders are
 * completed, and the rewards that they are due are paid. What each part used of the processor is printed, the generator's own apart.
 * `-- quick`: 500 customers and short steps, to see that it works. `-- failover`: the same mixture while a database of three machines loses its
 * primary (root, and what `npm run failover` needs). `-- partitions`: tables by month.
 */
import { randomUUID } from 'node:crypto'
import { cpus } from 'node:os'
import { sql } from 'drizzle-orm'
import { acceptUpload, keepUpload } from '#lib/server/payments/index.ts'
import { openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { transact } from '#lib/server/platform/transaction.ts'
import { camt, ntry } from '#support/camt.ts'
import { freshDatabase } from '#support/databases.ts'
import { startEngine } from '#support/engines.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { duringFailover } from './failover.ts'
import { type Ask, atRate, cpuOf, parentOf, quantile, type Step } from './measured.ts'
import { tryPartitions } from './partitions.ts'
import { AT_ONCE, isQuick, LOADED, makeWorld, nextOf, type World } from './world.ts'

const STEP_SECONDS = isQuick ? 4 : 15
const RATES = [25, 50, 75, 100, 125, 150, 175, 200, 250, 300, 350, 400, 500]
const MOST_P99_MS = 300
const MOST_FAILED = 0.01
/** So long a file is waited for, in thirds of a step. */
const NOON_STEPS = 36
/** Then the worker's job of each minute pays what is due. */
const PAYOUT_STEPS = 18
/** Counts statements. */
const COUNTING = ['-c', 'shared_preload_libraries=pg_stat_statements', '-c', 'pg_stat_statements.max=10000']
const DAY_MS = 86_400_000
/** Longer than the first month of a stake. */
const MONTH_DAYS = 40

type Parts = { webs: ServerProcess[]; worker: ServerProcess; postmaster: number }
type Used = { web: number; worker: number; database: number; generator: number; statements: number }

/** Statements that clients have sent so far, those that begin and end a transaction included. */
async function statementsOf({ context }: TestApp['app']): Promise<number> {
  const answer = await context.db.execute(sql`select coalesce(sum(calls), 0)::text as count from pg_stat_statements`)
  return Number(rowsOf<{ count: string }>(answer)[0]?.count)
}

async function usedBy({ webs, worker, postmaster }: Parts, { test }: World): Promise<Used> {
  const { user, system } = process.cpuUsage()
  return {
    statements: await statementsOf(test.app),
    web: webs.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
    worker: cpuOf(worker.pid),
    database: cpuOf(postmaster),
    generator: (user + system) / 1000
  }
}

const failedOf = ({ failed }: Step) => [...failed.values()].reduce((sum, count) => sum + count, 0)
const isGood = (step: Step) =>
  quantile(step.times, 0.99) < MOST_P99_MS && failedOf(step) <= MOST_FAILED * (step.answered + failedOf(step))

function printStep(processes: number, step: Step, before: Used, after: Used): void {
  const asked = step.answered + failedOf(step)
  const each = (part: keyof Used) => ((after[part] - before[part]) / asked).toFixed(2)
  console.log(
    `| ${processes} | ${step.rate} | ${(step.answered / STEP_SECONDS).toFixed(0)} | ${quantile(step.times, 0.5).toFixed(0)} | ${quantile(step.times, 0.99).toFixed(0)} | ${failedOf(step)} | ${each('web')} | ${each('database')} | ${each('worker')} | ${each('generator')} | ${each('statements')} |`
  )
  if (step.failed.size > 0) console.log(`  failed: ${JSON.stringify(Object.fromEntries(step.failed))}`)
}

const HEAD = `| web processes | asked a second | answered | p50 ms | p99 ms | failed | web CPU-ms a request | database | worker | generator | statements |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |`

/** Raises the rate until the answers are late; returns the highest rate at which they were not, and its step. */
async function climb(parts: Parts, urls: URL[], world: World): Promise<Step | undefined> {
  let best: Step | undefined
  for (const rate of RATES) {
    const step = await oneStep(parts, urls, world, rate)
    if (!isGood(step)) break
    best = step
  }
  return best
}

async function oneStep(parts: Parts, urls: URL[], world: World, rate: number): Promise<Step> {
  const before = await usedBy(parts, world)
  const step = await atRate(urls, rate, STEP_SECONDS, nextOf(world))
  printStep(urls.length, step, before, await usedBy(parts, world))
  return step
}

/** An editor publishes an entry while customers are at work: every process shows it, and all who open the news read it. */
async function publishing(urls: URL[], world: World, rate: number): Promise<void> {
  const title = `Published under load ${randomUUID()}`
  const [first] = urls
  const form = {
    act: 'save',
    title,
    shortDescription: 'For everybody.',
    markdown: 'Read by all.',
    picture: 'network',
    date: new Date().toISOString().slice(0, 16)
  }
  const post = (body: Record<string, string>) =>
    fetch(new URL('/sandbox/news', first), {
      method: 'POST',
      body: new URLSearchParams(body),
      headers: { origin: String(first?.origin) },
      redirect: 'manual'
    })
  const saved = await post(form)
  const id = new URL(saved.headers.get('location') ?? '', first).searchParams.get('entry') ?? ''
  const next = nextOf(world)
  // One in three opens the news.
  const reader = (): Ask => {
    const ask = next()
    if (Math.random() > 1 / 3 || ask.path.startsWith('/v1')) return ask
    return { ...ask, name: 'page /news', path: '/news' }
  }
  const running = atRate(urls, rate, STEP_SECONDS, reader)
  await post({ ...form, act: 'publish', id })
  const began = performance.now()
  const shows = async (url: URL) => {
    const { cookie } = world.customers[0] as Customer
    while (performance.now() - began < 2 * STEP_SECONDS * 1000) {
      const page = await (await fetch(new URL('/news', url), { headers: { cookie: `session=${cookie}` } })).text()
      if (page.includes(title)) return (performance.now() - began) / 1000
      await new Promise((resume) => setTimeout(resume, 200))
    }
    return undefined
  }
  const shown = await Promise.all(urls.map(shows))
  const step = await running
  const news = step.byName.get('page /news') ?? []
  console.log(
    `\nA news entry is published at ${rate} requests a second: shown after ${shown.map((seconds) => `${seconds?.toFixed(1) ?? 'not in time'} s`).join(' and ')}; p99 of all ${quantile(step.times, 0.99).toFixed(0)} ms, of ${news.length} pages of news ${quantile(news, 0.99).toFixed(0)} ms, ${failedOf(step)} failed.`
  )
}

/** Two persons let the worker read the bank's file; returns its id. */
async function handOver({ context }: TestApp['app'], xml: string): Promise<bigint> {
  const by = (id: string) => ({ kind: 'staff', id }) as const
  return transact(context, async (work) => {
    const id = await keepUpload(work, { name: 'noon.xml', xml, by: by('one') })
    if (id === undefined || !(await acceptUpload(work, id, by('two')))) throw new Error('The file was not accepted')
    return id
  })
}

/**
 * Makes the first reward of each order due now, as if a month had passed. Triggers forbid the change, so it is made without them. Returns what takes
 * it back.
 */
async function letMonthPass({ test }: World): Promise<() => Promise<void>> {
  const { db } = test.app.context
  const move = (days: number) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`)
      await tx.execute(sql`
        update payouts p set due_at = p.due_at + make_interval(days => ${days}) from moved m
        where (p.order_id, p.kind, p.number) = (m.order_id, m.kind, m.number)`)
    })
  await db.execute(sql`
    create table moved as select order_id, kind, number from payouts where kind = 'reward' and number = 1 and paid_at is null`)
  await move(-MONTH_DAYS)
  return () => move(MONTH_DAYS)
}

/** All have just confirmed who they are: those who did it more than ten minutes ago may not trade. */
const confirmAll = ({ test }: World) => test.app.context.db.execute(sql`update sessions set proved_at = now()`)

/** The bank's file comes while customers are at work: the worker completes the orders, and pays what their stakes are due at once. */
async function busyNoon(parts: Parts, urls: URL[], world: World, rate: number) {
  const { db } = world.test.app.context
  const count = async (query: ReturnType<typeof sql>) => Number(rowsOf<{ count: string }>(await db.execute(query))[0]?.count)
  const bookedOn = new Date(Date.now() - 100 * DAY_MS).toISOString().slice(0, 10)
  const xml = camt(
    world.entries.map(({ reference, cents }, index) =>
      ntry({ ref: `N-${index}`, amount: `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`, bookedOn, text: reference })
    )
  )
  await confirmAll(world)
  const used = await usedBy(parts, world)
  const began = performance.now()
  const id = await handOver(world.test.app, xml)
  let readAfter: number | undefined
  const steps: Step[] = []
  while (steps.length < NOON_STEPS && readAfter === undefined) {
    steps.push(await atRate(urls, rate, STEP_SECONDS / 3, nextOf(world)))
    if ((await count(sql`select count(*) from bank_files where id = ${id} and received_at is not null`)) > 0)
      readAfter = (performance.now() - began) / 1000
  }
  const due = sql`select count(*) from payouts where paid_at is null and cancelled_at is null and due_at <= now()`
  const orders = await count(sql`select count(*) from orders where status = 2`)
  const backToNow = await letMonthPass(world)
  await confirmAll(world)
  const owed = await count(due)
  const paidFrom = performance.now()
  const last = steps.length + PAYOUT_STEPS
  while (steps.length < last && (await count(due)) > 0) steps.push(await atRate(urls, rate, STEP_SECONDS / 3, nextOf(world)))
  const paidWithin = (performance.now() - paidFrom) / 1000
  await backToNow()
  const rewards = await count(sql`select count(*) from ledger_transactions where reason = 'staking_rewarded'`)
  const times = steps.flatMap(({ times }) => times).sort((one, other) => one - other)
  const after = await usedBy(parts, world)
  const seconds = (part: keyof Used) => `${((after[part] - used[part]) / 1000).toFixed(1)} s`
  console.log(
    `\nThe bank's file of ${world.entries.length} entries, at ${rate} requests a second on ${urls.length} web: read within ${readAfter?.toFixed(0) ?? 'more than the test waits'} s, ${orders} orders completed, then ${owed} rewards fall due at once: ${rewards} paid within ${paidWithin.toFixed(0)} s; p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms, ${steps.reduce((sum, step) => sum + failedOf(step), 0)} of ${steps.reduce((sum, step) => sum + failedOf(step) + step.answered, 0)} failed (${[...new Set(steps.flatMap(({ failed }) => [...failed.keys()]))].join(', ')}). Processor: worker ${seconds('worker')}, database ${seconds('database')}, web ${seconds('web')}, generator ${seconds('generator')}.`
  )
}

/** What grows: rows and bytes with their indexes, the largest first. */
async function printSizes({ context }: TestApp['app']): Promise<void> {
  await context.db.execute(sql`analyze`)
  const rows = rowsOf<{ name: string; rows: string; bytes: string }>(
    await context.db.execute(sql`
      select relname as name, reltuples::bigint::text as rows, pg_total_relation_size(oid)::text as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_total_relation_size(oid) desc limit 14`)
  )
  console.log('\n| table | rows | bytes with indexes | bytes a row |\n| --- | ---: | ---: | ---: |')
  for (const { name, rows: count, bytes } of rows)
    console.log(`| ${name} | ${count} | ${bytes} | ${Math.round(Number(bytes) / Math.max(1, Number(count)))} |`)
}

async function main(): Promise<void> {
  const engine = await startEngine({ durable: true, flags: COUNTING })
  const started: ServerProcess[] = []
  try {
    const url = await freshDatabase(engine.adminUrl)
    const connection = await openPostgres(url, { poolSize: AT_ONCE, onLost: () => undefined, patient: true })
    await connection.db.execute(sql`create extension pg_stat_statements`)
    const test = await createTestApp({ connection, clock: () => new Date(), env: { ...LOADED, ROLE: 'web' } })
    const start = async (role: string) => {
      const one = await startServer({ ...LOADED, DATABASE_URL: url, ROLE: role })
      started.push(one)
      return one
    }
    const began = performance.now()
    const world = await makeWorld(test)
    await connection.db.execute(sql`analyze`)
    console.log(
      `${cpus().length} cores; ${world.customers.length} customers, ${world.entries.length} orders in ${((performance.now() - began) / 1000).toFixed(0)} s\n`
    )
    const [{ backend } = { backend: 0 }] = rowsOf<{ backend: number }>(
      await connection.db.execute(sql`select pg_backend_pid() as backend`)
    )
    const worker = await start('worker')
    const postmaster = parentOf(backend)
    console.log(HEAD)
    const webs = [await start('web')]
    const one = await climb({ webs, worker, postmaster }, urlsOf(webs), world)
    webs.push(await start('web'))
    const two = await climb({ webs, worker, postmaster }, urlsOf(webs), world)
    for (const [processes, best] of [
      [1, one],
      [2, two]
    ] as const) {
      console.log(
        `\n${processes} web: ${best ? `p99 below ${MOST_P99_MS} ms up to ${best.rate} a second` : 'below the first step'}`
      )
      for (const [name, times] of [...(best?.byName ?? [])].sort(([, a], [, b]) => quantile(b, 0.99) - quantile(a, 0.99)))
        console.log(
          `  ${name}: ${times.length} asked, p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`
        )
    }
    const rate = Math.max(10, Math.round(((two ?? one)?.rate ?? 30) * 0.66))
    const more = [await start('web'), await start('web')]
    console.log(`\n${HEAD}`)
    await oneStep({ webs: [...webs, ...more], worker, postmaster }, urlsOf([...webs, ...more]), world, Math.min(100, rate))
    for (const web of more) await web.stop()
    await publishing(urlsOf(webs), world, rate)
    await busyNoon({ webs, worker, postmaster }, urlsOf(webs), world, rate)
    await printSizes(world.test.app)
    const { problems } = await test.verifyLedger()
    console.log(problems.length === 0 ? 'The books are right.' : `The books: ${problems.join('; ')}`)
    await test.close()
  } finally {
    for (const one of started) await one.kill().catch(() => undefined)
    await engine.stop()
  }
}

const urlsOf = (webs: ServerProcess[]) => webs.map(({ url }) => new URL(url))

if (process.argv.includes('partitions')) await tryPartitions()
else if (process.argv.includes('failover')) await duringFailover()
else await main()
process.exit()
