/** `npm run ledger:verify`: proves the books of the configured database; ends with 1 where something does not hold. */
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
