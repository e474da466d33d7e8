/** `npm run journal`: what the signer has signed, from its own file. Needs SIGNER_JOURNAL; the database is not asked. */
import type { ChainToken } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { type Entry, JournalError, openJournal } from '../chains/index.ts'
import { actorText } from '../platform/actor.ts'
import { ConfigError } from '../platform/config.ts'
import { readCommand, type Verb } from './command.ts'
import { processConfig } from './config.ts'

const USAGE = `npm run journal -- list
npm run journal -- day
npm run journal -- accept --by NAME --why "REASON"

list shows the payments of the last 30 days, day the sums of the last 24 hours. Both check that no entry was changed or taken out.
accept lets the signer start although its journal lacks payments that the database knows: the file was lost for good. Before it,
compare the payments of the database with the chains: what is on its way there and in neither could be paid again.`

const DAY_MS = 24 * 3_600_000
const LISTED_DAYS = 30
const CHAINS = ['bitcoin', 'ethereum', 'cpc'] as const

const dollars = (cents: bigint) => `$${(cents / 100n).toString()}.${(cents % 100n).toString().padStart(2, '0')}`

function main(): number {
  const read = readCommand(VERBS, process.argv.slice(2))
  if (!read) {
    console.error(USAGE)
    return 2
  }
  const { signerJournal } = processConfig().chains
  if (!signerJournal) {
    console.error('SIGNER_JOURNAL names no file.')
    return 1
  }
  const journal = openJournal(signerJournal)
  try {
    const now = new Date()
    const since = (days: number): Entry[] =>
      CHAINS.flatMap((chain) => journal.since(chain, new Date(now.getTime() - days * DAY_MS))).toSorted(
        (one, other) => one.at.getTime() - other.at.getTime()
      )
    const { words: _, actor, why } = read.asked
    const name = process.argv[2]
    if (name === 'accept') {
      journal.accept(actorText(actor), why, now)
      console.log('Accepted. The signer starts with this journal.')
    }
    if (name === 'list')
      for (const { at, chain, purpose, token, amount, receiver, transactionId, attempt, cents } of since(LISTED_DAYS))
        console.log(
          `${at.toISOString()}  ${chain}  ${purpose}${attempt > 0 ? `, attempt ${attempt + 1}` : ''}  ${formatExactUnits(amount, token)} ${token} (${dollars(cents)}) to ${receiver}  ${transactionId}`
        )
    if (name === 'day') printDay(since(1))
    return 0
  } finally {
    journal.close()
  }
}

function printDay(entries: Entry[]): void {
  const counted = entries.filter(({ cents }) => cents > 0n)
  const tokens = [...new Set(counted.map(({ token }) => token))]
  for (const token of tokens) {
    const ofToken = counted.filter((one) => one.token === token)
    const sum = (of: (one: Entry) => bigint) => ofToken.reduce((total, one) => total + of(one), 0n)
    console.log(
      `${formatExactUnits(
        sum(({ amount }) => amount),
        token as ChainToken
      )} ${token} in ${ofToken.length} payments, ${dollars(sum(({ cents }) => cents))}`
    )
  }
  console.log(`${dollars(counted.reduce((total, { cents }) => total + cents, 0n))} in all within 24 hours.`)
}

const nothing = async () => 0
const VERBS: Record<string, Verb> = {
  list: { run: nothing },
  day: { run: nothing },
  accept: { signed: 'decision', run: nothing }
}

try {
  process.exitCode = main()
} catch (error) {
  console.error(error instanceof JournalError || error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
