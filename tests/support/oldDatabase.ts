/** A database as an earlier version left it: the schema from that version's migrations, the rows from a dump. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

/** A copy of the migrations folder whose journal lists only the first `count`; `remove` deletes the folder. */
export function earlierMigrations(count: number): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-migrations-'))
  cpSync(migrations, folder, { recursive: true })
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'))
  journal.entries = journal.entries.slice(0, count)
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify(journal))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The statements of a dump, one for each table. */
export function dumpOf(version: string): string[] {
  const file = fileURLToPath(new URL(`../fixtures/version-${version}.sql`, import.meta.url))
  return readFileSync(file, 'utf8').split('--> next\n')
}
