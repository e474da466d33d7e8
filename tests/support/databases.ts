/** Databases of their own for tests, copied from one that is migrated already. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** A migrated, empty database that tests copy. */
export const TEMPLATE = 'wallet_template'

/** Makes a database, as a copy of `template` where one is named. */
export async function createDatabase(adminUrl: string, name: string, template?: string): Promise<void> {
  const client = new pg.Client(adminUrl)
  await client.connect()
  try {
    await client.query(`create database "${name}"${template ? ` template "${template}"` : ''}`)
  } finally {
    await client.end()
  }
}

/** Makes a database with a name of its own, migrated unless `empty`, and answers its address. */
export async function freshDatabase(adminUrl: string, { empty = false } = {}): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await createDatabase(adminUrl, name, empty ? undefined : TEMPLATE)
  return databaseAt(adminUrl, name)
}

/** The address of another database of the same server. */
export function databaseAt(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}
