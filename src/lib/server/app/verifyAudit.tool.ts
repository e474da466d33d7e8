/**
 * `npm run audit:verify`: finds a changed, removed, moved or cut-off entry of the staff's audit log; exits with 1 if there is one. With
 * SIGNER_JOURNAL, it also compares with what the signer has kept outside the database.
 */
import { openJournal } from '../chains/index.ts'
import { verifyAudit } from '../staff/index.ts'
import { addressProof } from './chains.ts'
import { processConfig } from './config.ts'
import { runTool } from './tool.ts'

const { chains } = processConfig()

function headOfJournal(file: string) {
  const journal = openJournal(file)
  try {
    return journal.lastAuditHead()
  } finally {
    journal.close()
  }
}

await runTool(async ({ db }) => {
  const kept = chains.signerJournal ? headOfJournal(chains.signerJournal) : undefined
  const { entries, signedUpTo, ...found } = await verifyAudit(db, addressProof(chains), { heads: kept ? [kept] : [] })
  console.log(
    `${entries} entries, signed by the signer up to entry ${signedUpTo}${kept ? `, by its journal up to ${kept.entryId}` : ''}`
  )
  const problems = [...found.problems, ...found.forged]
  if (problems.length === 0) {
    console.log('The audit log is whole: each entry follows from the one before, and the signed heads are among them.')
    return 0
  }
  console.error(`The audit log is BROKEN:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
  return 1
})
