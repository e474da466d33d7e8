/** Shared by the operator's commands: opens and closes the configured database, with a clear error if it is unavailable. */
import { ConfigError, processConfig } from '../platform/config.ts'
import { type Connection, openEmbedded, openPostgres } from '../platform/db/client.ts'
import { FolderInUseError } from '../platform/db/lock.ts'

/** Runs `work` on the configured database without migrating it; the process exits with the code that `work` returns. */
export async function runTool(work: (connection: Connection) => Promise<number>): Promise<void> {
  try {
    const { databaseUrl, dataDir } = processConfig()
    const connection = await (databaseUrl
      ? openPostgres(databaseUrl, { poolSize: 2, onLost: () => undefined, migrate: false, patient: true })
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
