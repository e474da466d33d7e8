/**
 * `npm run drill`: backs a running product up with the scripts of `deploy/backup`, loses its database, restores it to a moment in between on an empty
 * cluster, and takes the steps of docs/operations.md ("A backup of the database is put back"): halted, journal compared, signer alone, books and coins
 * compared. Says what was found, and how long each step took. Needs root, and Debian's postgresql-15 and pgbackrest.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migratePostgres } from '#lib/server/platform/db/client.ts'
import { freePort } from '#support/embeddedPostgres.ts'
import { NODE_ENVIRONMENT } from '#support/nodeEnvironment.ts'
import { type ServerProcess, ServerRefusedError, startServer } from '#support/serverProcess.ts'
import { wait } from './bed.ts'
import { Load } from './load.ts'
import { openWorld, type World } from './world.ts'

const BIN = '/usr/lib/postgresql/15/bin'
const NEEDED = [`${BIN}/postgres`, '/usr/bin/pgbackrest']
const project = fileURLToPath(new URL('../../', import.meta.url))
const SETTINGS = { SANDBOX: 'public', LIMIT_SCALE: '100000', OWED_MOST_CPC: '1000000000', SIGNER_DAY_USD: '100000000' }

const said: string[] = []
function say(line: string): void {
  said.push(line)
  console.log(line)
}

async function step<T>(what: string, run: () => Promise<T> | T): Promise<T> {
  const began = performance.now()
  const result = await run()
  say(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${what}`)
  return result
}

function whatIsMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'The drill needs root: PostgreSQL runs as a user of its own.'
  const missing = NEEDED.filter((file) => !existsSync(file))
  return missing.length === 0
    ? undefined
    : `The drill needs ${missing.join(', ')}: apt-get install --no-install-recommends postgresql-15 pgbackrest`
}

const asPostgres = (command: string, ...args: string[]) =>
  execFileSync('setpriv', ['--reuid=postgres', '--regid=postgres', '--init-groups', command, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf') }
  })

const folder = mkdtempSync(join(tmpdir(), 'drill-'))
chmodSync(folder, 0o755)
const of = (name: string) => join(folder, name)

function pgbackrestConfig(data: string, port: number): void {
  writeFileSync(
    of('pgbackrest.conf'),
    `[global]
repo1-path=${of('repo')}
repo1-retention-full=2
log-path=${of('log')}
lock-path=${of('lock')}
start-fast=y
archive-async=n
[wallet]
pg1-path=${data}
pg1-port=${port}
pg1-socket-path=${folder}/socket
pg1-user=postgres
`
  )
}

function startPostgres(data: string, port: number): ChildProcess {
  const options = [
    `port=${port}`,
    `unix_socket_directories=${folder}/socket`,
    'listen_addresses=127.0.0.1',
    'max_connections=120'
  ]
  const args = [
    '--reuid=postgres',
    '--regid=postgres',
    '--init-groups',
    `${BIN}/postgres`,
    '-D',
    data,
    ...options.flatMap((one) => ['-c', one])
  ]
  return spawn('setpriv', args, {
    stdio: 'ignore',
    cwd: '/',
    // Its archive and restore commands read it.
    env: { PATH: process.env.PATH ?? '', PGBACKREST_CONFIG: of('pgbackrest.conf') }
  })
}

async function untilOpen(url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client(url)
    client.on('error', () => undefined)
    const isOpen = await client
      .connect()
      .then(() => client.query('select pg_is_in_recovery() as waits'))
      .then(({ rows }) => !rows[0].waits)
      .catch(() => false)
    await client.end().catch(() => undefined)
    if (isOpen) return
    await wait(200)
  }
}

function command(env: Record<string, string>, name: string, ...args: string[]): { exit: number; text: string } {
  try {
    const text = execFileSync(process.execPath, ['run.mjs', name, ...args], {
      cwd: project,
      env: { ...NODE_ENVIRONMENT, ...SETTINGS, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe']
    })
    return { exit: 0, text: text.trim() }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string }
    return { exit: status, text: `${stdout}${stderr}`.trim() }
  }
}

async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

async function main(): Promise<number> {
  const missing = whatIsMissing()
  if (missing) {
    console.error(missing)
    return 2
  }
  const problems: string[] = []
  const expect = (isRight: boolean, what: string) => {
    if (!isRight) problems.push(what)
  }
  for (const name of ['repo', 'log', 'lock', 'socket', 'old', 'new']) {
    mkdirSync(of(name))
    execFileSync('chown', ['postgres:postgres', of(name)])
  }
  chmodSync(of('old'), 0o700)
  chmodSync(of('new'), 0o700)
  mkdirSync(of('journals'))
  const port = await freePort()
  const journal = of('signer.sqlite')
  const started: ServerProcess[] = []
  const servers: ChildProcess[] = []
  let world: World | undefined
  try {
    // A product that is backed up while it is used.
    pgbackrestConfig(of('old'), port)
    asPostgres(
      `${BIN}/initdb`,
      '-D',
      of('old'),
      '-U',
      'postgres',
      '--encoding=UTF8',
      '--locale=C',
      '-A',
      'trust',
      '--data-checksums'
    )
    writeFileSync(
      join(of('old'), 'postgresql.auto.conf'),
      `archive_mode = on\narchive_timeout = 5\nwal_level = replica\narchive_command = 'PGBACKREST_CONFIG=${of('pgbackrest.conf')} pgbackrest --stanza=wallet archive-push %p'\n`
    )
    servers.push(startPostgres(of('old'), port))
    const admin = `postgres://postgres@127.0.0.1:${port}/postgres`
    await untilOpen(admin)
    await withClient(admin, async (client) => {
      await client.query('create role wallet login superuser')
      await client.query('create database wallet owner wallet')
    })
    asPostgres('pgbackrest', '--stanza=wallet', 'stanza-create')
    const url = `postgres://wallet@127.0.0.1:${port}/wallet`
    await migratePostgres(url)
    const start = async (role: string, env: Record<string, string>) => {
      const one = await startServer({ ...SETTINGS, ROLE: role, SIGNER_JOURNAL: journal, ...env })
      started.push(one)
      return one
    }
    const web = await start('web', { DATABASE_URL: url })
    await start('worker', { DATABASE_URL: url })
    await start('signer', { DATABASE_URL: url })
    world = await openWorld(url, folder)
    const load = new Load(() => [web.url], of('bookings.jsonl'))
    writeFileSync(of('bookings.jsonl'), '')
    const { clients } = await world.clients(8)
    const stopWorld = world.play(() => load.bookings)
    load.start(clients)
    await wait(8000)
    const DATABASE = join(project, 'deploy/backup/database.sh')
    await step('a full backup of the database, while customers book (deploy/backup/database.sh full)', () =>
      asPostgres('sh', DATABASE, 'full')
    )
    await step('a copy of the journal after it (deploy/backup/journal.sh)', () =>
      execFileSync('sh', [join(project, 'deploy/backup/journal.sh'), of('journals')], {
        cwd: project,
        env: { ...NODE_ENVIRONMENT, ...SETTINGS, DATABASE_URL: url, SIGNER_JOURNAL: journal, PATH: process.env.PATH ?? '' },
        encoding: 'utf8'
      })
    )
    await wait(10_000)
    const [{ target, acked }] = await withClient(url, async (client) => {
      const { rows } = await client.query('select clock_timestamp()::text as target')
      return [{ target: rows[0].target as string, acked: load.bookings.filter(({ outcome }) => outcome === 'acked').length }]
    })
    await wait(15_000)
    await load.stop()
    await stopWorld()
    const all = load.bookings.filter(({ outcome }) => outcome === 'acked').length
    await withClient(url, (client) => client.query('select pg_switch_wal()'))
    await wait(6000)
    const signedIn = (at: string) =>
      withClient(at, async (client) =>
        Number((await client.query('select count(*)::int as count from chain_attempts')).rows[0].count)
      )
    const signedBefore = await signedIn(url)

    // It is lost.
    await world.close()
    world = undefined
    for (const one of started.splice(0)) await one.kill()
    for (const server of servers.splice(0)) server.kill('SIGKILL')
    await wait(1000)
    say(`        lost: ${all} bookings acknowledged, ${acked} of them before ${target}, to which it is restored`)

    pgbackrestConfig(of('new'), port)
    await step('restored on an empty cluster (pgbackrest --type=time restore)', () =>
      asPostgres('pgbackrest', '--stanza=wallet', '--type=time', `--target=${target}`, '--target-action=promote', 'restore')
    )
    await step('the WAL until that moment was read, and the database takes writes', async () => {
      servers.push(startPostgres(of('new'), port))
      await untilOpen(admin)
    })
    await step('all chains halted, before any process starts', () =>
      withClient(url, (client) =>
        client.query(
          `insert into chain_stops (chain, kind, why, actor, stopped_at) select c, 'sending', 'A backup was put back', 'system:drill', now() from unnest(array['bitcoin', 'ethereum', 'cpc']) c`
        )
      )
    )
    const env = { DATABASE_URL: url, SIGNER_JOURNAL: journal }
    const ledger = await step('npm run ledger:verify', () => command(env, 'verifyLedger'))
    say(`            ${ledger.text.split('\n').at(-1)}`)
    expect(ledger.exit === 0, 'the books are wrong')
    const compared = await step('npm run journal -- compare, with the journal of the signer', () =>
      command(env, 'journal', 'compare')
    )
    for (const line of compared.text.split('\n').slice(0, 2)) say(`            ${line}`)
    expect(compared.exit === 0, 'the journal is not whole')
    const signedThen = await signedIn(url)
    expect(signedThen < signedBefore, 'nothing was signed after the moment: the drill proves less than it should')

    // A journal that is older than the database must not sign.
    const old = of('older.sqlite')
    await step('a journal that is older than the database is refused by the signer', async () => {
      const { DatabaseSync } = await import('node:sqlite')
      const shorter = new DatabaseSync(old)
      shorter.exec(`attach '${journal}' as whole`)
      for (const { sql } of shorter
        .prepare(`select sql from whole.sqlite_master where sql is not null and name not like 'sqlite_%'`)
        .all() as { sql: string }[])
        shorter.exec(sql)
      shorter.exec(
        'insert into signed (send_id, attempt, chain, cents, at, entry, link) select send_id, attempt, chain, cents, at, entry, link from whole.signed order by rowid limit 1; detach whole; pragma user_version = 4'
      )
      shorter.close()
      const refused = await start('signer', { ...env, SIGNER_JOURNAL: old }).catch((error: unknown) => error)
      expect(
        refused instanceof ServerRefusedError && refused.message.includes("The signer's journal lacks"),
        'a signer with an old journal was not refused'
      )
    })

    await step('the signer alone, halted: it stores what it has signed since', async () => {
      await start('signer', env)
      const giveUpAt = Date.now() + 60_000
      while ((await signedIn(url)) < signedBefore && Date.now() < giveUpAt) await wait(500)
    })
    const stored = await signedIn(url)
    say(`            ${signedThen} payments in the backup, ${stored} stored now, ${signedBefore} were signed`)
    expect(stored === signedBefore, 'payments that were signed are not stored again')
    const lost = await withClient(url, async (client) =>
      Number((await client.query(`select count(*)::int as count from chain_sends where purpose = 'lost'`)).rows[0].count)
    )
    say(`            ${lost} of them have no withdrawal any more: kept as lost, for two persons to decide`)
    await start('worker', env)
    const custody = await step('npm run custody:verify, when the worker has read the chains to their end', async () => {
      const giveUpAt = Date.now() + 90_000
      for (;;) {
        const one = command(env, 'custody')
        if (!one.text.includes('not read yet') || Date.now() > giveUpAt) return one
        await wait(2000)
      }
    })
    say(`            ${custody.text.split('\n').at(-1)}`)
    expect(!custody.text.includes('DIFFERENCE'), 'the coins differ')
    const again = await step('npm run ledger:verify, once more', () => command(env, 'verifyLedger'))
    say(`            ${again.text.split('\n').at(-1)}`)
    expect(again.exit === 0, 'the books are wrong after the signer')
    const kept = await withClient(url, async (client) => {
      const keys = load.bookings
        .filter(({ kind, outcome }) => kind === 'transfer' && outcome === 'acked')
        .map(({ owner, key }) => `${owner}:${key}`)
      const { rows } = await client.query(
        `select count(*)::int as count from ledger_transactions where source_type = 'move' and source_id = any($1)`,
        [keys]
      )
      return { count: rows[0].count as number, of: keys.length }
    })
    say(`        ${kept.count} of ${kept.of} moves are there: those before the moment`)
    expect(kept.count > 0 && kept.count < kept.of, 'the restore is not of the moment that was asked for')
    for (const problem of problems) say(`PROBLEM ${problem}`)
    say(problems.length === 0 ? 'The drill holds.' : 'The drill found what must be mended.')
    return problems.length === 0 ? 0 : 1
  } finally {
    await world?.close().catch(() => undefined)
    for (const one of started) await one.kill().catch(() => undefined)
    for (const server of servers) server.kill('SIGKILL')
    writeFileSync(of('protocol.txt'), `${said.join('\n')}\n`)
    console.log(`The protocol is in ${of('protocol.txt')}`)
    for (const name of ['old', 'new', 'repo']) rmSync(of(name), { recursive: true, force: true })
  }
}

process.exitCode = await main()
process.exit()
