/** `npm run bank:read FILE`: shows what a file of the bank would do, entry by entry, as JSON. Changes nothing. */
import { readFile } from 'node:fs/promises'
import { readCamt } from '../payments/adapters/camt.ts'
import { matchEntry } from '../payments/index.ts'
import { processConfig } from './config.ts'
import { runTool } from './tool.ts'

const [file] = process.argv.slice(2)
if (!file) {
  console.error('Name the file: npm run bank:read -- FILE')
  process.exit(1)
}

await runTool(async ({ db }) => {
  const { statements, problems } = readCamt(await readFile(file, 'utf8'), processConfig().bank.euroIban)
  const read = []
  for (const { entries, ...statement } of statements) {
    const judged = []
    for (const entry of entries) {
      if ('unreadable' in entry) judged.push(entry)
      else {
        const verdict = await matchEntry(db, entry)
        const orderId = 'order' in verdict ? verdict.order?.id : undefined
        judged.push({ ...entry, outcome: verdict.outcome, ...(orderId && { orderId }) })
      }
    }
    read.push({ ...statement, entries: judged })
  }
  const isUnreadable = read.some(({ entries }) => entries.some((entry) => 'unreadable' in entry))
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  console.log(JSON.stringify({ statements: read, problems }, asText, 2))
  return problems.length > 0 || isUnreadable ? 1 : 0
})
