/** `npm run ledger:verify`: checks the books of the configured database; exits with 1 if a check fails. */
import { verifyLedger } from '../ledger/index.ts'
import { ledgerChecks } from './features.ts'
import { runTool } from './tool.ts'

await runTool(async ({ db }) => {
  const { accounts, transactions, postings, currencies, problems } = await verifyLedger(db, ledgerChecks)
  console.log(`${accounts} accounts, ${transactions} transactions, ${postings} postings, ${currencies} currencies`)
  if (problems.length === 0) {
    console.log('The ledger is right: every balance is the sum of its postings, every currency sums to zero.')
    return 0
  }
  console.error(`The ledger is WRONG:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
  return 1
})
