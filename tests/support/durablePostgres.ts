/** A PostgreSQL whose commits wait for the disk, for tests that kill processes: every answered write must survive. */
import type { TestProject } from 'vitest/node'
import { startEngine } from './engines.ts'

export default async function setup(project: TestProject) {
  const postgres = await startEngine({ durable: true })
  project.provide('postgresUrl', postgres.adminUrl)
  return postgres.stop
}
