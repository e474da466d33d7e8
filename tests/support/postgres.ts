/** Starts PostgreSQL once for the API suite and leaves a migrated database that every test file copies. */
import type { TestProject } from 'vitest/node'
import { openPostgres } from '#lib/server/platform/db/client.ts'
import { createDatabase, TEMPLATE } from './databases.ts'
import { startPostgres } from './embeddedPostgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function setup(project: TestProject) {
  const postgres = await startPostgres()
  await createDatabase(postgres.url('postgres'), TEMPLATE)
  const connection = await openPostgres(postgres.url(TEMPLATE), { poolSize: 2, onLost: () => undefined })
  await connection.close()
  project.provide('postgresUrl', postgres.url('postgres'))
  return () => postgres.stop()
}
