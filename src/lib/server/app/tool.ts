/** Shared by the operator's commands: opens and closes the configured database, with a clear error if it is unavailable. */
import { ConfigError } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { keysOf } from '../platform/crypto.ts'
import { type Connection, openEmbedded, openPostgres } from '../platform/db/client.ts'
import { FolderInUseError } from '../platform/db/lock.ts'
import { createLogs } from '../platform/log.ts'
import { processConfig } from './config.ts'
import { createPorts, type Ports } from './ports.ts'

/** Runs `work` on the configured database without migrating it; the process exits with the code that `work` returns. */
export async function runTool(work: (connection: Connection) => Promise<number>): Promise<void> {
  try {
    const { databaseUrl, dataDir } = processConfig()
    const connection = await (databaseUrl
      ? openPostgres(databaseUrl, { poolSize: 2, onLost: () => undefined, patient: true })
      : openEmbedded(dataDir))
    try {
      process.exitCode = await work(connection)
    } finally {
      await connection.close()
    }
  } catch (error) {
    console.error(error instanceof ConfigError || error instanceof FolderInUseError ? error.message : error)
    process.exitCode = 1
  }
}

/** Like `runTool`, with the context and ports that use cases need. Running worker processes take the jobs that it writes. */
export function runWithPorts(work: (context: Context, ports: Ports) => Promise<number>): Promise<void> {
  return runTool(async ({ db, quickDb, longDb }) => {
    const config = processConfig()
    const { log } = createLogs(config.logLevel)
    const parts = { clock: () => new Date(), ...keysOf(config.secret, config.secretAlso), log }
    const { ports } = await createPorts(config, db, parts)
    const origin = config.publicUrl ? new URL(config.publicUrl).origin : `http://localhost:${config.port}`
    return work({ db, quickDb, longDb, ...parts, limitScale: config.limitScale, origin, wakeJobs: () => undefined }, ports)
  })
}
