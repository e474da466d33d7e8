/** Provides the suite's PostgreSQL: the one that `npm test` started for all stages, or a new one if the stage runs alone. */
import type { TestProject } from 'vitest/node'
import { startEngine } from './engines.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function setup(project: TestProject) {
  const shared = process.env.TEST_POSTGRES_URL
  if (shared) return project.provide('postgresUrl', shared)
  const postgres = await startEngine()
  project.provide('postgresUrl', postgres.adminUrl)
  return postgres.stop
}
