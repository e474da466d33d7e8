/**
 * Brings a database to the schema of this code: tables by the steps in `migrations/`, functions and views by one `.sql` file each,
 * beside the feature that owns it. Only `npm run migrate`, ROLE=all and the embedded database do this; see docs/operations.md.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { filePath } from '../files.ts'

/** One connection to the database. `migrate` runs one step in a transaction and records it. */
export type MigrationSession = {
  query: <Row = Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>
  migrate: (step: MigrationMeta) => Promise<void>
  /** False for the embedded database, which has one connection: nothing else can run at the same time. */
  isShared: boolean
}
type Definition = { name: string; kind: 'function' | 'view'; text: string; hash: string }
/** How many steps ran, and the names of the functions and views that were replaced. */
export type MigrationReport = { steps: number; definitions: string[] }

const STEPS = filePath('migrations')
const SERVER = filePath('src/lib/server')
const NO_TRANSACTION = '-- no transaction'
/**
 * A step waits at most this long for the locks of a table, so that customers do not queue behind it. Less than the second after which
 * PostgreSQL looks for a deadlock: the step gives way, and never ends a customer's transaction.
 */
const LOCK_TIMEOUT_MS = 500
const MOST_TRIES = 60
const PAUSE_MS = 200
const GIVES_WAY = ['55P03', '40P01']

/** The release number of the schema. It is raised with every change of a step or a definition; a test checks that. */
export function readRelease(): number {
  const { release } = JSON.parse(readFileSync(`${STEPS}/release.json`, 'utf8')) as { release: number }
  return release
}

/** Every file that defines a function or a view; functions first, because views may call them. */
export function readDefinitions(): Definition[] {
  return globSync('*/**/*.sql', { cwd: SERVER })
    .map((path) => {
      const text = readFileSync(`${SERVER}/${path}`, 'utf8')
      const kind = /^CREATE OR REPLACE VIEW\b/m.test(text) ? ('view' as const) : ('function' as const)
      return { name: basename(path, '.sql'), kind, text, hash: createHash('sha256').update(text).digest('hex') }
    })
    .sort((a, b) => a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name))
}

/** `earlier`: a folder with the steps of an earlier version, for tests; functions are then created, but not replaced. */
export async function migrate(session: MigrationSession, earlier?: string): Promise<MigrationReport> {
  const { query } = session
  if (earlier) {
    await createMissingFunctions(session)
    return { steps: await runSteps(session, earlier), definitions: [] }
  }
  await query('create schema if not exists drizzle')
  await query(
    'create table if not exists drizzle.definitions (name text primary key, hash text not null, applied_at timestamptz not null)'
  )
  await query(
    'create table if not exists drizzle.release (id boolean primary key default true check (id), release integer not null)'
  )
  const release = readRelease()
  const [kept] = await query<{ release: number }>('select release from drizzle.release')
  // A database of a newer release has newer functions, which an older process must not replace.
  const isNewer = (kept?.release ?? 0) > release
  if (!isNewer) await createMissingFunctions(session)
  const steps = await runSteps(session, STEPS)
  const definitions = isNewer ? [] : await replaceChanged(session)
  if (!isNewer)
    await query('insert into drizzle.release (release) values ($1) on conflict (id) do update set release = excluded.release', [
      release
    ])
  return { steps, definitions }
}

/**
 * Triggers name functions, so new functions must exist before the steps run. No running process uses them yet. Their bodies may
 * name tables that a step creates, and are therefore not checked.
 */
export async function createMissingFunctions({ query }: Pick<MigrationSession, 'query'>): Promise<void> {
  const there = new Set(
    (await query<{ name: string }>("select proname as name from pg_proc where pronamespace = 'public'::regnamespace")).map(
      ({ name }) => name
    )
  )
  const missing = readDefinitions().filter(({ kind, name }) => kind === 'function' && !there.has(name))
  if (missing.length === 0) return
  // Some book whatever they are asked to: until docs/database-roles.sql has run again, nobody but the owner may call a new one.
  await query('alter default privileges revoke execute on functions from public')
  await query('set check_function_bodies = off')
  for (const { text } of missing) await query(text)
  await query('reset check_function_bodies')
}

async function runSteps(session: MigrationSession, folder: string): Promise<number> {
  const known = await appliedSteps(session.query)
  const newest = Math.max(0, ...known)
  const pending = readMigrationFiles({ migrationsFolder: folder }).filter(({ folderMillis }) => folderMillis > newest)
  await session.query(`set lock_timeout = ${session.isShared ? LOCK_TIMEOUT_MS : 0}`)
  for (const step of pending) {
    if (step.sql[0]?.startsWith(NO_TRANSACTION)) await runAlone(session, step)
    else await patiently(() => session.migrate(step))
  }
  await session.query('reset lock_timeout')
  return pending.length
}

/** Runs a step statement by statement, outside a transaction. A step that broke off is run again from its beginning. */
async function runAlone(session: MigrationSession, step: MigrationMeta): Promise<void> {
  for (const statement of step.sql) await patiently(() => runStatement(session, statement))
  await session.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    step.hash,
    step.folderMillis
  ])
}

const INDEX = /CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?"?(\w+)"?/i

async function runStatement({ query, isShared }: MigrationSession, statement: string): Promise<void> {
  const index = INDEX.exec(statement)?.[1]
  if (!index) {
    await query(statement)
    return
  }
  const [found] = await query<{ valid: boolean }>('select indisvalid as valid from pg_index where indexrelid = to_regclass($1)', [
    index
  ])
  if (found?.valid) return
  // Left invalid by a run that broke off: it costs writes and serves no query.
  if (found) await query(`drop index concurrently "${index}"`)
  if (!isShared) {
    await query(statement.replace(/ CONCURRENTLY/i, ''))
    return
  }
  // It waits for every transaction that runs, and none waits for it.
  await query('set lock_timeout = 0')
  await query(statement)
  await query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
}

/** Tries again while other transactions have locked the table; throws the error of the last try. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === MOST_TRIES || !GIVES_WAY.includes(codeOf(error) ?? '')) throw error
      await new Promise((resume) => setTimeout(resume, PAUSE_MS))
    }
  }
}

function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code ?? cause?.code
}

/** Replaces, in one transaction, the definitions whose files have changed; returns their names. */
async function replaceChanged({ query }: MigrationSession): Promise<string[]> {
  const kept = await query<{ name: string; hash: string }>('select name, hash from drizzle.definitions')
  const known = new Map(kept.map(({ name, hash }) => [name, hash]))
  const changed = readDefinitions().filter(({ name, hash }) => known.get(name) !== hash)
  if (changed.length === 0) return []
  await query('begin')
  try {
    await query('set local check_function_bodies = off')
    for (const { text, name, hash } of changed) {
      await query(text)
      await query(
        'insert into drizzle.definitions (name, hash, applied_at) values ($1, $2, now()) on conflict (name) do update set hash = excluded.hash, applied_at = excluded.applied_at',
        [name, hash]
      )
    }
    await query('commit')
  } catch (error) {
    await query('rollback')
    throw error
  }
  return changed.map(({ name }) => name)
}

/** The timestamps that identify the steps that ran; empty if there is no such table yet. */
async function appliedSteps(query: MigrationSession['query']): Promise<number[]> {
  const [table] = await query<{ there: boolean }>("select to_regclass('drizzle.__drizzle_migrations') is not null as there")
  if (!table?.there) return []
  const rows = await query<{ at: string }>('select created_at::text as at from drizzle.__drizzle_migrations')
  return rows.map(({ at }) => Number(at))
}

let wanted: { steps: number[]; release: number } | undefined

/**
 * True if every step of this code has run and the functions are those of this release or a newer one. Newer steps are fine: they
 * only add. Throws if the database was never migrated.
 */
export async function isMigrated(query: MigrationSession['query']): Promise<boolean> {
  wanted ??= {
    steps: readMigrationFiles({ migrationsFolder: STEPS }).map(({ folderMillis }) => folderMillis),
    release: readRelease()
  }
  const [kept] = await query<{ release: number; steps: string[] }>(
    'select release, array(select created_at::text from drizzle.__drizzle_migrations) as steps from drizzle.release'
  )
  const applied = new Set(kept?.steps.map(Number))
  return (kept?.release ?? 0) >= wanted.release && wanted.steps.every((step) => applied.has(step))
}
