/** A separate database for each test, copied from a migrated template. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** A migrated, empty database that tests copy. */
export const TEMPLATE = 'wallet_template'

/** Creates a database, as a copy of `template` if given. */
export async function createDatabase(adminUrl: string, name: string, template?: string): Promise<void> {
  const client = new pg.Client(adminUrl)
  await client.connect()
  try {
    await client.query(`create database "${name}"${template ? ` template "${template}"` : ''}`)
  } finally {
    await client.end()
  }
}

/** Creates a database with a unique name, migrated unless `empty`; returns its URL. */
export async function freshDatabase(adminUrl: string, { empty = false } = {}): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await createDatabase(adminUrl, name, empty ? undefined : TEMPLATE)
  return databaseAt(adminUrl, name)
}

/** The URL of another database on the same server. */
export function databaseAt(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}
