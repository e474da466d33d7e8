/** `npm run ledger:verify`: proves the books of the configured database; ends with 1 where something does not hold. */

import { verifyLedger } from '../ledger/verify.ts'
import { ConfigError, processConfig } from '../platform/config.ts'
import { openEmbedded, openPostgres } from '../platform/db/client.ts'
import { FolderInUseError } from '../platform/db/lock.ts'

async function run(): Promise<number> {
  const { databaseUrl, dataDir } = processConfig()
  const connection = await (databaseUrl
    ? openPostgres(databaseUrl, { poolSize: 2, onLost: () => undefined, migrate: false })
    : openEmbedded(dataDir))
  try {
    const { accounts, transactions, postings, currencies, problems } = await verifyLedger(connection.db)
    console.log(`${accounts} accounts, ${transactions} transactions, ${postings} postings, ${currencies} currencies`)
    if (problems.length === 0) {
      console.log('The ledger is right: every balance is the sum of its postings, every currency sums to zero.')
      return 0
    }
    console.error(`The ledger is WRONG:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    return 1
  } finally {
    await connection.close()
  }
}

run().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error instanceof ConfigError || error instanceof FolderInUseError ? error.message : error)
    process.exitCode = 1
  }
)
