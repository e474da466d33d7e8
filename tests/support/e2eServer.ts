/** Starts the built server on its own database for the browser journeys, and verifies the ledger afterwards. */

import { ledgerChecks } from '#lib/server/app/features.ts'
import { verifyLedger } from '#lib/server/ledger/index.ts'
import { openPostgres } from '#lib/server/platform/db/client.ts'
import { freshDatabase } from './databases.ts'
import { startEngine } from './engines.ts'
import { startServer } from './serverProcess.ts'

export default async function setup() {
  // The journeys run against a server started elsewhere, whose database is out of reach: its ledger is not verified here.
  if (process.env.BASE_URL) return
  const shared = process.env.TEST_POSTGRES_URL
  const postgres = shared ? undefined : await startEngine()
  const adminUrl = shared ?? postgres?.adminUrl ?? ''
  const databaseUrl = await freshDatabase(adminUrl)
  const server = await startServer({ DATABASE_URL: databaseUrl })
  // `localhost`, because passkeys are bound to a domain name, not to an IP address.
  process.env.BASE_URL = server.url.replace('127.0.0.1', 'localhost')
  process.env.E2E_DESK_URL = server.deskUrl
  process.env.E2E_DATABASE_URL = databaseUrl
  // For a journey with a database of its own.
  process.env.E2E_POSTGRES_URL = adminUrl
  return async () => {
    await server.stop()
    const connection = await openPostgres(databaseUrl, { poolSize: 2, onLost: () => undefined })
    const report = await verifyLedger(connection.db, ledgerChecks)
    await connection.close()
    await postgres?.stop()
    console.log(`Ledger after the journeys: ${JSON.stringify(report)}`)
    if (report.problems.length > 0) throw new Error('The ledger is wrong after the browser journeys')
  }
}
