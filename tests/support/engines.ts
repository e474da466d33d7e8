/** The databases that tests start from, made once: a PostgreSQL with a migrated template, and an embedded database as a file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { migrateEmbedded, migratePostgres } from '#lib/server/platform/db/client.ts'
import { createDatabase, TEMPLATE } from './databases.ts'
import { startPostgres } from './embeddedPostgres.ts'

/** Starts PostgreSQL with a migrated template database that tests copy. `durable`: commits wait for the disk. */
export async function startEngine({
  durable = false,
  flags = [] as string[]
} = {}): Promise<{ adminUrl: string; stop: () => Promise<void> }> {
  const postgres = await startPostgres({ durable, flags })
  await createDatabase(postgres.url('postgres'), TEMPLATE)
  await migratePostgres(postgres.url(TEMPLATE))
  return { adminUrl: postgres.url('postgres'), stop: postgres.stop }
}

/** Writes a migrated embedded database to a file: loading it takes a tenth of the time of migrating a new one. */
export async function makeEmbeddedCopy(): Promise<{ file: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'wallet-pglite-'))
  const file = join(folder, 'empty.tar')
  const client = await PGlite.create('memory://')
  await migrateEmbedded(client)
  const copy = await client.dumpDataDir('none')
  await writeFile(file, Buffer.from(await copy.arrayBuffer()))
  await client.close()
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}
