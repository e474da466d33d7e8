/**
 * `npm run failover`: kills, stops, cuts off and fills up what the product stands on, while customers book; then compares what was acknowledged to
 * them with what is there. `-- short`: one round a fault. With names of faults: only those. Control rounds, with a cluster that acknowledges
 * before a second machine has it, must lose bookings: otherwise the test proves nothing.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migratePostgres } from '#lib/server/platform/db/client.ts'
import { type ServerProcess, ServerRefusedError, startServer } from '#support/serverProcess.ts'
import { type Bed, startBed, wait, whatIsMissing } from './bed.ts'
import { type Client, Load, longestGap, refusals } from './load.ts'
import { type Verdict, verify } from './verify.ts'
import { openWorld, type World } from './world.ts'

const FOLDER = '/run/wallet-failover'
const CLIENTS = 10
const BEFORE_MS = 4000
const AFTER_MS = 4000
/** They need no database. */
const PAGES = ['/help', '/legal/terms-of-service']
/** A standby answers them. */
const NEWS = ['/news', '/v1/news']
const PAGE_EVERY_MS = 400
/** A session that has ended may read news for at most two seconds more. */
const SESSION_MOST_MS = 2100
/** News may fail for at most this long. */
const NEWS_MOST_SECONDS = 5
const LONG_MINUTES = 30
/** So many rounds that could not be carried out, one after the other, end the test. */
const BROKEN_MOST = 3

type Product = { webs: ServerProcess[]; worker: ServerProcess; signer: ServerProcess }
type Bench = {
  bed: Bed
  product: Product
  start: (role: string, more?: Record<string, string>) => Promise<ServerProcess>
  /** Web processes that customers reach at the moment. */
  urls: string[]
}
/** `isHarmless`: the primary has no reason to move. */
type Fault = { name: string; isHarmless?: true; run: (bench: Bench) => Promise<void> }

type Node = 'n1' | 'n2' | 'n3'

/** The name of the node that plays this part at the moment. Throws if no node does. */
async function nodeOf(bed: Bed, part: 'primary' | 'syncStandby' | 'otherStandby'): Promise<Node> {
  const name = await bed[part]()
  if (name !== 'n1' && name !== 'n2' && name !== 'n3') throw new Error(`The cluster has no ${part} now`)
  return name
}

async function killFor(bed: Bed, ms: number, ...nodes: Node[]): Promise<void> {
  for (const node of nodes) bed.killNode(node)
  await wait(ms)
  for (const node of nodes) bed.startNode(node)
}

const FAULTS: Fault[] = [
  {
    name: 'the synchronous standby is killed',
    isHarmless: true,
    run: async ({ bed }) => killFor(bed, 15_000, await nodeOf(bed, 'syncStandby'))
  },
  { name: 'the primary is killed', run: async ({ bed }) => killFor(bed, 25_000, await nodeOf(bed, 'primary')) },
  {
    name: 'both standbys are killed',
    run: async ({ bed }) => killFor(bed, 15_000, await nodeOf(bed, 'syncStandby'), await nodeOf(bed, 'otherStandby'))
  },
  {
    name: 'Patroni of the primary is stopped; some go past HAProxy',
    run: async (bench) => {
      const { bed, start, urls } = bench
      const node = await nodeOf(bed, 'primary')
      const direct = await start('web', { DATABASE_URL: `postgres://wallet@${bed.addressOf(node)}:5432/wallet` })
      urls.push(direct.url)
      bed.signalPatroni(node, 'SIGSTOP')
      await wait(40_000)
      bed.signalPatroni(node, 'SIGCONT')
      await wait(10_000)
      urls.splice(urls.indexOf(direct.url), 1)
      await direct.stop()
    }
  },
  {
    name: 'the primary is stopped for 60 s',
    run: async ({ bed }) => {
      const node = await nodeOf(bed, 'primary')
      bed.stopNode(node)
      await wait(60_000)
      bed.continueNode(node)
    }
  },
  {
    name: 'the primary is cut off from etcd',
    run: async ({ bed }) => {
      const node = await nodeOf(bed, 'primary')
      bed.cut(node, 'etcd')
      await wait(30_000)
      bed.join(node, 'etcd')
    }
  },
  {
    name: 'the primary reaches etcd alone',
    run: async ({ bed }) => {
      const node = await nodeOf(bed, 'primary')
      bed.cut(node, 'data')
      await wait(15_000)
      bed.join(node, 'data')
    }
  },
  {
    name: 'the primary is cut off from all, and comes back with other rows',
    run: async ({ bed }) => {
      const node = await nodeOf(bed, 'primary')
      bed.cut(node, 'data')
      await wait(2000)
      bed.cut(node, 'etcd')
      await wait(25_000)
      bed.killNode(node)
      bed.join(node, 'data')
      bed.join(node, 'etcd')
      bed.startNode(node)
    }
  },
  {
    name: '200 ms and 5 % loss to the standbys',
    isHarmless: true,
    run: async ({ bed }) => {
      const node = await nodeOf(bed, 'primary')
      bed.slow(node, 200, 5)
      await wait(20_000)
      bed.quick()
    }
  },
  {
    name: "the primary's disk is full",
    run: async ({ bed }) => {
      const node = await nodeOf(bed, 'primary')
      bed.fillDisk(node)
      await wait(25_000)
      bed.freeDisk(node)
    }
  },
  {
    name: 'switchover',
    run: async ({ bed }) => {
      await bed.switchover(await nodeOf(bed, 'primary'), await nodeOf(bed, 'syncStandby'))
      await wait(5000)
    }
  },
  {
    name: 'a web, the worker, the signer and HAProxy are killed',
    isHarmless: true,
    run: async ({ bed, product, start, urls }) => {
      const [web] = product.webs
      if (web) {
        await web.kill()
        urls.splice(urls.indexOf(web.url), 1)
        await wait(2000)
        const next = await start('web')
        product.webs[0] = next
        urls.push(next.url)
      }
      await product.worker.kill()
      product.worker = await start('worker')
      await product.signer.kill()
      product.signer = await start('signer')
      bed.killProxy()
      await wait(3000)
    }
  },
  {
    name: 'the signer is stopped, the primary moves, a second signer starts, the first goes on',
    run: async ({ bed, product, start }) => {
      const first = product.signer
      process.kill(first.pid, 'SIGSTOP')
      await killFor(bed, 25_000, await nodeOf(bed, 'primary'))
      const second = await start('signer', { SIGNER_JOURNAL: join(tmpdir(), `wallet-journal-${process.pid}.sqlite`) }).catch(
        (error: unknown) => error
      )
      process.kill(first.pid, 'SIGCONT')
      if (!(second instanceof ServerRefusedError)) throw new Error('A signer with a journal of its own was not refused')
      await wait(5000)
    }
  }
]

/** The node is not continued while the others go on. */
const CONTROL: Fault = {
  name: 'CONTROL: asynchronous, 200 ms behind, the primary is killed for good',
  run: async ({ bed }) => {
    const node = await nodeOf(bed, 'primary')
    bed.slow(node, 400)
    await wait(5000)
    bed.killNode(node)
    await wait(30_000)
    bed.quick()
    bed.startNode(node)
  }
}

type Line = Verdict & {
  fault: string
  rounds: number
  gap: number
  pages: string
  newsGap: number
  elections: number
  problems: string[]
}

async function round(bench: Bench, world: World, log: string, { name, isHarmless, run }: Fault): Promise<Line> {
  await bench.bed.untilWhole()
  const movesAtFirst = await bench.bed.moves()
  const load = new Load(() => bench.urls, log)
  const { clients, before } = await world.clients(CLIENTS)
  const stopWorld = world.play(() => load.bookings)
  const [reader] = clients
  const pages = askPages(() => bench.urls, PAGES)
  // Who goes past HAProxy asks a primary that none of the standbys follows.
  const news = askPages(() => bench.product.webs.map(({ url }) => url).filter((url) => bench.urls.includes(url)), NEWS, reader)
  load.start(clients)
  await wait(BEFORE_MS)
  const movesBefore = await bench.bed.moves()
  const from = Date.now()
  let failed: unknown
  await run(bench).catch((error: unknown) => {
    failed = error
  })
  await bench.bed.untilWhole()
  await wait(AFTER_MS)
  const to = Date.now()
  const movesAfter = isHarmless ? await bench.bed.moves() : movesBefore
  await load.stop()
  await stopWorld()
  const problems = [...(failed ? [`the fault: ${failed}`] : []), ...(await world.settle(load.bookings))]
  const { asked, errors } = await pages()
  const { seconds: newsGap } = await news()
  problems.push(...(await sessionEnds(bench, world)))
  if (newsGap > NEWS_MOST_SECONDS) problems.push(`news failed for ${newsGap} s`)
  const { entry } = bench.bed
  const url = `postgres://wallet@${entry.host}:${entry.port}/wallet`
  return {
    fault: name,
    rounds: 1,
    ...(await verify(url, load.bookings, before)),
    gap: longestGap(load.ackedAt, from, to),
    pages: `${asked} asked, ${errors} failed`,
    newsGap,
    elections: movesAtFirst === undefined || movesAfter === undefined ? 0 : movesAfter - movesAtFirst,
    problems
  }
}

/** A session that is ended at one process is refused by all, also by those that look for it on a standby. Returns what is wrong. */
async function sessionEnds({ urls }: Bench, world: World): Promise<string[]> {
  const { token } = await world.test.customer()
  const headers = { authorization: `Bearer ${token}` }
  const statusAt = (url: string) => fetch(`${url}/v1/news`, { headers }).then(({ status }) => status)
  const before = await Promise.all(urls.map(statusAt))
  if (before.some((status) => status !== 200)) return [`news answer ${before} to a customer who is signed in`]
  await fetch(`${urls[0]}/v1/users/signout`, { method: 'POST', headers })
  await wait(SESSION_MOST_MS)
  const after = await Promise.all(urls.map(statusAt))
  return after.every((status) => status === 401) ? [] : [`news answer ${after} after the session has ended`]
}

/** A round that could not be carried out. */
function broken(fault: string, error: unknown): Line {
  const nothing = { acked: 0, lost: 0, doubled: 0, untrue: 0, decided: 0, open: 0 }
  return { fault, rounds: 1, ...nothing, gap: 0, pages: '', newsGap: 0, elections: 0, problems: [`the round: ${error}`] }
}

/**
 * Asks for these paths until the returned function is called. Processes that the test has killed are not asked. `seconds`: the longest time in which
 * one path of one process failed, from the first request that failed to the answer of the next that did not.
 */
function askPages(
  urls: () => string[],
  paths: string[],
  reader?: Pick<Client, 'token' | 'cookie'>
): () => Promise<{ asked: number; errors: number; seconds: number }> {
  let [asked, errors, longestMs, isOn] = [0, 0, 0, true]
  const headers = reader && { authorization: `Bearer ${reader.token}`, cookie: `session=${reader.cookie}` }
  const failingSince = new Map<string, number>()
  async function askOne(url: string, path: string): Promise<void> {
    asked += 1
    const askedAt = Date.now()
    const isOk = await fetch(`${url}${path}`, { headers, redirect: 'manual', signal: AbortSignal.timeout(5000) }).then(
      (answer) => answer.ok,
      () => false
    )
    // Killed meanwhile.
    if (!urls().includes(url)) return
    const since = failingSince.get(url + path) ?? (isOk ? undefined : askedAt)
    if (since !== undefined) longestMs = Math.max(longestMs, Date.now() - since)
    if (isOk) failingSince.delete(url + path)
    else {
      failingSince.set(url + path, since ?? askedAt)
      errors += 1
    }
  }
  const running = (async () => {
    while (isOn) {
      await Promise.all(urls().flatMap((url) => paths.map((path) => askOne(url, path))))
      await wait(PAGE_EVERY_MS)
    }
  })()
  return async () => {
    isOn = false
    await running
    return { asked, errors, seconds: longestMs / 1000 }
  }
}

function print(lines: Line[]): void {
  const cells = (one: Line) =>
    [
      one.fault,
      one.rounds,
      one.acked,
      one.lost,
      one.doubled,
      one.untrue,
      `${one.decided} (${one.open} open)`,
      one.gap.toFixed(1),
      one.newsGap.toFixed(1),
      one.pages
    ].join(' | ')
  console.log(
    '\n| fault | rounds | acknowledged | lost | doubled | untrue "no" | unknown, decided | s without service | s without news | help and legal |'
  )
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |')
  for (const one of lines) console.log(`| ${cells(one)} |`)
  for (const { fault, problems } of lines) for (const problem of problems) console.log(`PROBLEM ${fault}: ${problem}`)
}

/** Rounds of one fault in one line. */
function sum(lines: Line[]): Line[] {
  const all = new Map<string, Line>()
  for (const line of lines) {
    const before = all.get(line.fault)
    if (!before) all.set(line.fault, { ...line })
    else
      all.set(line.fault, {
        ...line,
        rounds: before.rounds + 1,
        acked: before.acked + line.acked,
        lost: before.lost + line.lost,
        doubled: before.doubled + line.doubled,
        untrue: before.untrue + line.untrue,
        decided: before.decided + line.decided,
        open: before.open + line.open,
        gap: Math.max(before.gap, line.gap),
        newsGap: Math.max(before.newsGap, line.newsGap),
        elections: before.elections + line.elections,
        problems: [...before.problems, ...line.problems]
      })
  }
  return [...all.values()]
}

async function main(): Promise<number> {
  const missing = whatIsMissing()
  if (missing) {
    console.error(missing)
    return 2
  }
  const args = process.argv.slice(2)
  const isShort = args.includes('short')
  const names = args.filter((arg) => arg !== 'short')
  const folder = mkdtempSync(join(tmpdir(), 'failover-'))
  const log = join(folder, 'bookings.jsonl')
  mkdirSync(folder, { recursive: true })
  writeFileSync(log, '')
  const bed = await startBed(FOLDER)
  const started: ServerProcess[] = []
  const lines: Line[] = []
  let world: World | undefined
  // Without this, processes of a test that was ended go on, and take the next cluster for theirs.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, async () => {
      for (const one of started) await one.kill().catch(() => undefined)
      await bed.stop()
      process.exit(1)
    })
  try {
    const { host, port } = bed.entry
    const standby = bed.standbyEntry
    const admin = new pg.Client(`postgres://postgres@${host}:${port}/postgres`)
    await admin.connect()
    await admin.query('create role wallet login superuser')
    await admin.query('create database wallet owner wallet')
    await admin.end()
    const url = `postgres://wallet@${host}:${port}/wallet`
    await migratePostgres(url)
    const start = async (role: string, more: Record<string, string> = {}) => {
      const one = await startServer(
        {
          DATABASE_URL: url,
          DATABASE_STANDBY: `${standby.host}:${standby.port}`,
          SANDBOX: 'public',
          ROLE: role,
          LOG_LEVEL: 'info',
          LIMIT_SCALE: '100000',
          DATABASE_POOL: '12',
          WITHDRAWAL_DAY_USD: '1000000',
          WITHDRAWAL_DAY_MOST_USD: '1000000',
          SIGNER_DAY_USD: '100000000',
          // Packages are sold without coins of their own.
          OWED_MOST_CPC: '1000000000',
          SIGNER_JOURNAL: join(folder, 'signer.sqlite'),
          ...more
        },
        { keepLog: true }
      )
      started.push(one)
      return one
    }
    const [one, two, worker, signer] = [await start('web'), await start('web'), await start('worker'), await start('signer')]
    world = await openWorld(url, folder)
    const bench: Bench = { bed, product: { webs: [one, two], worker, signer }, start, urls: [one.url, two.url] }
    const wanted = FAULTS.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)))
    const endAt = Date.now() + LONG_MINUTES * 60_000
    let brokenInRow = 0
    for (let pass = 0; pass === 0 || (!isShort && names.length === 0 && Date.now() < endAt); pass += 1)
      for (const fault of wanted) {
        const line = await round(bench, world, log, fault).catch((error: unknown) => broken(fault.name, error))
        lines.push(line)
        brokenInRow = line.acked === 0 ? brokenInRow + 1 : 0
        if (brokenInRow >= BROKEN_MOST)
          throw new Error(`${BROKEN_MOST} rounds in a row acknowledged nothing: ${line.problems[0]}`)
        print([line])
        for (const node of bed.takeRemade()) console.log(`(${node} was copied anew from the primary)`)
      }
    if (names.length === 0 || names.includes('CONTROL')) {
      await bed.setSynchronous(false)
      await wait(12_000)
      const line = await round(bench, world, log, CONTROL)
      lines.push(line)
      await bed.setSynchronous(true)
    }
    print(sum(lines))
    const elections = lines.reduce((sum, line) => sum + line.elections, 0)
    console.log(`${elections} elections without a fault, e.g. because etcd had too little of the processor.`)
    console.log(`refused: ${JSON.stringify(Object.fromEntries(refusals))}; every booking is in ${log}`)
    const isBad = ({ fault, lost, doubled, untrue, open, problems }: Line) =>
      fault === CONTROL.name ? lost === 0 : lost + doubled + untrue + open + problems.length > 0
    const bad = lines.filter(isBad)
    console.log(bad.length === 0 ? 'Nothing acknowledged was lost, nothing was done twice.' : `${bad.length} rounds failed.`)
    return bad.length === 0 ? 0 : 1
  } finally {
    await world?.close().catch(() => undefined)
    for (const [index, one] of started.entries()) {
      await one.kill().catch(() => undefined)
      writeFileSync(join(folder, `process-${index}.log`), one.log())
    }
    for (const node of ['n1', 'n2', 'n3']) copyFileSync(join(FOLDER, `${node}-patroni.log`), join(folder, `${node}-patroni.log`))
    await bed.stop()
    if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main()
process.exit()
