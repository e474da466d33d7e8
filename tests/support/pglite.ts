/** Makes the embedded database once, migrated, as a file that every test begins with: making one takes two seconds. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    embeddedCopy: string
  }
}

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'wallet-pglite-'))
  const file = join(folder, 'empty.tar')
  const client = await PGlite.create('memory://')
  await migrate(drizzle(client), { migrationsFolder: 'src/lib/server/platform/db/migrations' })
  const copy = await client.dumpDataDir('none')
  await writeFile(file, Buffer.from(await copy.arrayBuffer()))
  await client.close()
  project.provide('embeddedCopy', file)
  return () => rm(folder, { recursive: true, force: true })
}
