/** `npm run migrate`: brings the configured PostgreSQL to the schema of this release, while processes of the last one go on. */
import { ConfigError } from '../platform/config.ts'
import { migratePostgres } from '../platform/db/client.ts'
import { processConfig } from './config.ts'

try {
  const { databaseUrl } = processConfig()
  if (databaseUrl) {
    const { steps, definitions } = await migratePostgres(databaseUrl)
    console.log(`${steps} steps ran; functions and views replaced: ${definitions.join(', ') || 'none'}.`)
  } else console.log('The embedded database migrates itself at start: there is nothing to do.')
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
