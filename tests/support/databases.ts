import pg from 'pg'

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
