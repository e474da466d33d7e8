/** A PostgreSQL that waits for the disk, for the tests that kill processes: what was answered must be there afterwards. */
import type { TestProject } from 'vitest/node'
import { startEngine } from './engines.ts'

export default async function setup(project: TestProject) {
  const postgres = await startEngine({ durable: true })
  project.provide('postgresUrl', postgres.adminUrl)
  return postgres.stop
}
