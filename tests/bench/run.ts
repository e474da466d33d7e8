/**
 * `npm run bench`: measures the figures of docs/performance.md, most as a ratio to a floor measured in the same run. With names
 * (calls, balance, transfers, pages, processes, memory, left, start, answers, ledger, statement, purchases, p2p, staking, documents, news, desk, chains) only those.
 */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { createDatabase, databaseAt, TEMPLATE } from '../support/databases.ts'
import { startEngine } from '../support/engines.ts'
import { type ServerProcess, startServer } from '../support/serverProcess.ts'
import { signUpAt, type Visitor } from '../support/visitor.ts'
import { benchAnswers } from './browserBench.ts'
import { benchChains } from './chainsBench.ts'
import { benchDesk } from './deskBench.ts'
import { benchDocuments } from './documentsBench.ts'
import { benchLedger } from './ledgerBench.ts'
import { benchLeft } from './leftBench.ts'
import { interleave, median, type Row, ratioRow, requestsPerSecond, SECONDS, warm } from './measure.ts'
import { benchNews } from './newsBench.ts'
import { benchP2p } from './p2pBench.ts'
import { benchPurchases } from './purchasesBench.ts'
import { benchStaking } from './stakingBench.ts'
import { benchStatement } from './statementBench.ts'
import { benchTransfers } from './transfersBench.ts'

const DESK_BENCH = ['desk_few', 'desk_many']
const CHAINS_BENCH = ['chains_few', 'chains_many', 'chains_money']
const PAGE = 'docs/performance.md'
const REQUESTS_FOR_MEMORY = 10_000
const TICKS_A_SECOND = 100
const GIB = 1024 ** 3
const MIB = 1024 ** 2

function residentMib(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return (pages * 4096) / MIB
  } catch {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
  }
}

/** CPU time of a process so far; 0 where the system does not tell. */
function cpuMs(pid: number): number {
  try {
    const [user = 0, system = 0] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '')
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return ((user + system) * 1000) / TICKS_A_SECOND
  } catch {
    return 0
  }
}

/** A node:http server that answers the body of `url`, and nothing else. */
async function startRaw(url: string): Promise<Floor> {
  return startFloor('rawServer.ts', await (await fetch(url)).text())
}

type Floor = { url: string; pid: number; stop: () => void }

async function startFloor(file: string, ...args: string[]): Promise<Floor> {
  const child = spawn(process.execPath, [`tests/bench/${file}`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' }
  })
  const port = await new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk).trim())))
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => child.kill() }
}

/** Pins a process to the given cores. Returns false if the system cannot. */
function confine(pid: number, cores: string): boolean {
  try {
    execFileSync('taskset', ['-a', '-p', '-c', cores, String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const ALL_CORES = `0-${cpus().length - 1}`

/** Both servers run on the same core, so that the load generator disturbs both equally. */
async function benchCalls(server: ServerProcess): Promise<Row[]> {
  const path = '/v1/token/supported-tokens'
  const raw = await startRaw(`${server.url}${path}`)
  for (const { pid } of [server, raw]) confine(pid, '0')
  const [ours = 0, floor = 0] = await interleave([
    { name: 'call', run: () => requestsPerSecond(`${server.url}${path}`) },
    { name: 'raw', run: () => requestsPerSecond(raw.url) }
  ])
  raw.stop()
  confine(server.pid, ALL_CORES)
  return [
    { what: 'trivial /v1 calls a second', value: ours.toFixed(0), wanted: '', holds: undefined },
    ratioRow('trivial /v1 call against raw node:http', ours / floor, 0.5)
  ]
}

/** A signed-in call of three queries, compared with the same queries behind node:http, on the same core. */
async function benchBalance(server: ServerProcess, databaseUrl: string, { token }: Visitor): Promise<Row[]> {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const raw = await startFloor('rawBalanceServer.ts', databaseUrl, claims.sid, claims.user_id)
  for (const { pid } of [server, raw]) confine(pid, '0')
  const headers = { authorization: `Bearer ${token}` }
  const [ours = 0, floor = 0] = await interleave([
    { name: 'balance', run: () => requestsPerSecond(`${server.url}/v1/users/balance`, headers) },
    { name: 'raw', run: () => requestsPerSecond(raw.url) }
  ])
  raw.stop()
  confine(server.pid, ALL_CORES)
  return [
    { what: 'signed-in balance calls a second, PostgreSQL', value: ours.toFixed(0), wanted: '', holds: undefined },
    ratioRow('signed-in balance call against its three queries, prepared, behind raw node:http', ours / floor, 0.75)
  ]
}

async function benchPages(server: ServerProcess, cookie: string): Promise<Row[]> {
  const react = await startFloor('reactServer.ts')
  for (const path of ['/bench/island', '/bench/plain', '/bench/still', '/dashboard', '/activity', '/sign-in'])
    await warm(`${server.url}${path}`, path === '/sign-in' ? {} : { cookie })
  const [island = 0, plain = 0, still = 0, dashboard = 0, activity = 0, signIn = 0, alone = 0] = await interleave([
    { name: 'island', run: () => requestsPerSecond(`${server.url}/bench/island`, { cookie }) },
    { name: 'plain', run: () => requestsPerSecond(`${server.url}/bench/plain`, { cookie }) },
    { name: 'still', run: () => requestsPerSecond(`${server.url}/bench/still`, { cookie }) },
    { name: 'dashboard', run: () => requestsPerSecond(`${server.url}/dashboard`, { cookie }) },
    { name: 'activity', run: () => requestsPerSecond(`${server.url}/activity`, { cookie }) },
    { name: 'sign-in', run: () => requestsPerSecond(`${server.url}/sign-in`) },
    { name: 'react', run: () => requestsPerSecond(react.url) }
  ])
  react.stop()
  return [
    { what: 'pages with one island a second', value: island.toFixed(0), wanted: '', holds: undefined },
    ratioRow('page with one island against the same without React', island / plain, 0.6),
    {
      what: 'the same against a small form of React alone on node:http, no shell',
      value: (island / alone).toFixed(2),
      wanted: '',
      holds: undefined
    },
    { what: 'dashboards a second, real figures', value: dashboard.toFixed(0), wanted: '', holds: undefined },
    ratioRow('dashboard against the same page with figures that are there', dashboard / still, 0.6),
    ratioRow('dashboard against the sign-in page', dashboard / signIn, 0.5),
    ratioRow('activity against the sign-in page', activity / signIn, 0.5)
  ]
}

/**
 * Throughput of two processes compared with one. Each process is pinned to one core, as in a container, and gets half of the
 * connections; both have served as many pages before. Measured for pages without the database, and for the dashboard, whose database competes for the same cores.
 */
async function benchTwoProcesses(first: ServerProcess, databaseUrl: string, cookie: string): Promise<Row[]> {
  const second = await start(databaseUrl)
  for (const { url } of [first, second])
    for (const path of ['/sign-in', '/legal/terms-of-service', '/dashboard'])
      await warm(`${url}${path}`, path === '/dashboard' ? { cookie } : {})
  const isConfined = confine(first.pid, '0') && confine(second.pid, '1')
  let [cpuOfOne, cpuOfTwo] = [0, 0]
  const compare = async (path: string, headers: Record<string, string>): Promise<number> => {
    const ask = (server: ServerProcess, connections: number) => requestsPerSecond(`${server.url}${path}`, headers, connections)
    const servers = [first, second]
    const cpuAPage = async (run: () => Promise<number>, keep: (ms: number) => void) => {
      const before = servers.reduce((sum, { pid }) => sum + cpuMs(pid), 0)
      const perSecond = await run()
      keep((servers.reduce((sum, { pid }) => sum + cpuMs(pid), 0) - before) / (perSecond * SECONDS))
      return perSecond
    }
    const [ones, twos]: number[][] = [[], []]
    const [one = 0, two = 0] = await interleave([
      {
        name: 'one',
        run: () =>
          cpuAPage(
            () => ask(first, 16),
            (ms) => ones?.push(ms)
          )
      },
      {
        name: 'two',
        run: () =>
          cpuAPage(
            async () => (await Promise.all([ask(first, 8), ask(second, 8)])).reduce((sum, part) => sum + part, 0),
            (ms) => twos?.push(ms)
          )
      }
    ])
    cpuOfOne = median(ones ?? [])
    cpuOfTwo = median(twos ?? [])
    return two / one
  }
  const signIn = await compare('/sign-in', {})
  const article = await compare('/legal/terms-of-service', {})
  const dashboard = await compare('/dashboard', { cookie })
  await second.stop()
  confine(first.pid, ALL_CORES)
  const how = isConfined ? ', a core each' : ''
  return [
    ratioRow(`two processes against one${how}, sign-in pages a second`, signIn, 1.5),
    {
      what: 'the same for articles, whose small answers cost the load generator little',
      value: article.toFixed(2),
      wanted: '',
      holds: undefined
    },
    { what: 'the same for dashboards, database on the same cores', value: dashboard.toFixed(2), wanted: '', holds: undefined },
    {
      what: 'CPU of the processes a dashboard, two against one',
      value: (cpuOfTwo / cpuOfOne).toFixed(2),
      wanted: '≤ 1.1',
      holds: cpuOfTwo / cpuOfOne <= 1.1
    }
  ]
}

const MOST_AT_REST = 220
const MOST_AFTER_PAGES = 330
const atMostMib = (what: string, value: number, most: number): Row => {
  return { what, value: `${value.toFixed(0)} MiB`, wanted: `≤ ${most} MiB`, holds: value <= most }
}

async function benchMemory(databaseUrl: string): Promise<Row[]> {
  const server = await start(databaseUrl)
  const { cookie } = await signUpAt(server.url)
  const ask = async (count: number) => {
    for (let done = 0; done < count; done += 50) {
      await Promise.all(
        Array.from({ length: 50 }, async () => (await fetch(`${server.url}/dashboard`, { headers: { cookie } })).arrayBuffer())
      )
    }
  }
  const atRest = residentMib(server.pid)
  await ask(REQUESTS_FOR_MEMORY)
  const first = residentMib(server.pid)
  await ask(REQUESTS_FOR_MEMORY)
  const second = residentMib(server.pid)
  await server.stop()
  return [
    atMostMib('memory at rest', atRest, MOST_AT_REST),
    atMostMib(`memory after ${REQUESTS_FOR_MEMORY} pages`, first, MOST_AFTER_PAGES),
    {
      what: `growth with ${REQUESTS_FOR_MEMORY} more`,
      value: (second / first).toFixed(2),
      wanted: '≤ 1.1',
      holds: second / first <= 1.1
    }
  ]
}

async function benchStart(databaseUrl: string): Promise<Row[]> {
  const seconds: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const began = performance.now()
    const server = await start(databaseUrl)
    await fetch(`${server.url}/sign-in`)
    seconds.push((performance.now() - began) / 1000)
    await server.stop()
  }
  const value = seconds.sort((a, b) => a - b)[2] ?? Number.NaN
  return [
    { what: 'start to first page, existing database', value: `${value.toFixed(2)} s`, wanted: '≤ 0.6 s', holds: value <= 0.6 }
  ]
}

function start(databaseUrl: string): Promise<ServerProcess> {
  return startServer({ DATABASE_URL: databaseUrl, DIST_DIR: 'dist-bench', LOG_LEVEL: 'info' })
}

console.log('Building with the two pages of the bench …')
execFileSync('astro', ['build'], {
  stdio: 'ignore',
  shell: process.platform === 'win32',
  env: { ...process.env, BENCH: '1', ASTRO_TELEMETRY_DISABLED: '1' }
})
const postgres = await startEngine({ durable: true })
const rows: Row[] = []
const chosen = process.argv.slice(2)
try {
  const databaseUrl = postgres.adminUrl
  const server = await start(databaseUrl)
  const visitor = await signUpAt(server.url)
  const { cookie } = visitor
  for (const name of [
    'ledger_bench',
    'statement_bench',
    'purchases_bench',
    'p2p_bench',
    'staking_bench',
    'documents_bench',
    'news_few',
    'news_many',
    ...DESK_BENCH,
    ...CHAINS_BENCH
  ])
    await createDatabase(databaseUrl, name, TEMPLATE)
  const benches: Record<string, () => Promise<Row[]>> = {
    calls: () => benchCalls(server),
    balance: () => benchBalance(server, databaseUrl, visitor),
    transfers: () => benchTransfers(server.url, databaseUrl),
    pages: () => benchPages(server, cookie),
    processes: () => benchTwoProcesses(server, databaseUrl, cookie),
    memory: () => benchMemory(databaseUrl),
    left: () => benchLeft(databaseUrl),
    start: () => benchStart(databaseUrl),
    answers: () => benchAnswers(server.url, visitor),
    ledger: () => benchLedger(databaseAt(databaseUrl, 'ledger_bench')),
    statement: () => benchStatement(databaseAt(databaseUrl, 'statement_bench')),
    purchases: () => benchPurchases(databaseAt(databaseUrl, 'purchases_bench')),
    p2p: () =>
      benchP2p(databaseAt(databaseUrl, 'p2p_bench'), { url: server.url, databaseUrl, memoryMib: () => residentMib(server.pid) }),
    staking: () => benchStaking(databaseAt(databaseUrl, 'staking_bench')),
    documents: () => benchDocuments(databaseAt(databaseUrl, 'documents_bench')),
    news: () => benchNews(start, [databaseAt(databaseUrl, 'news_few'), databaseAt(databaseUrl, 'news_many')]),
    desk: () => benchDesk(DESK_BENCH.map((name) => databaseAt(databaseUrl, name))),
    chains: () => benchChains(CHAINS_BENCH.map((name) => databaseAt(databaseUrl, name)))
  }
  for (const [name, bench] of Object.entries(benches)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const found = await bench()
    for (const { what, value } of found) console.log(`${what}: ${value}`)
    rows.push(...found)
  }
  await server.stop()
} finally {
  await postgres.stop()
}
const [cpu] = cpus()
const table = [
  `Node ${process.version}, PostgreSQL embedded, ${cpus().length} × ${cpu?.model ?? 'CPU'}, ${(totalmem() / GIB).toFixed(0)} GiB; load generator, browser and database on the same machine.`,
  '',
  '| what | measured | wanted | |',
  '| --- | --- | --- | --- |',
  ...rows.map(
    ({ what, value, wanted, holds }) =>
      `| ${what} | ${value} | ${wanted} | ${holds === undefined ? '' : holds ? 'holds' : 'does not hold here'} |`
  )
].join('\n')
console.log(`\n${table}`)
// Only a complete run updates docs/performance.md.
if (chosen.length === 0) {
  const page = readFileSync(PAGE, 'utf8')
  const written = page.replace(/(<!-- bench -->\n)[\s\S]*(\n<!-- \/bench -->)/, (_, begin, end) => `${begin}\n${table}\n${end}`)
  writeFileSync(PAGE, written)
}
