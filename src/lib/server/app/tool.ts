/** What the operator's commands share: the configured database, opened and closed, and a clear word where it is not to be had. */
import { ConfigError, processConfig } from '../platform/config.ts'
import { type Connection, openEmbedded, openPostgres } from '../platform/db/client.ts'
import { FolderInUseError } from '../platform/db/lock.ts'

/** Runs `work` on the configured database, which it does not migrate; the process ends with the code that it answers. */
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
