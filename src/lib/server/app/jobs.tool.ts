/** `npm run jobs`: shows how many jobs wait, and those that failed for good. */

import { failedJobs, waitingJobs } from '../platform/jobs/read.ts'
import { printable } from './command.ts'
import { runTool } from './tool.ts'

await runTool(async ({ db }) => {
  const [waiting, failed] = [await waitingJobs(db), await failedJobs(db)]
  console.log(`Waiting: ${waiting.map(({ kind, count }) => `${count} ${kind}`).join(', ') || 'none'}`)
  if (failed.length === 0) console.log('No job failed for good.')
  for (const { id, kind, tries, failedAt, lastError, payload } of failed) {
    console.log(`${id} ${kind} failed for good at ${failedAt?.toISOString()} after ${tries} tries: ${printable(lastError ?? '')}`)
    console.log(`  ${JSON.stringify(payload)}`)
  }
  return failed.length === 0 ? 0 : 1
})
