/** `npm run journal`: what the signer has signed, from its own file. Needs SIGNER_JOURNAL; only `compare` asks the database. */
import { CHAINS, type ChainToken, isChain } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import {
  coldChallenge,
  type Entry,
  type Journal,
  JournalError,
  openJournal,
  requireWholeJournal,
  unstoredOf
} from '../chains/index.ts'
import { ConfigError } from '../platform/config.ts'
import { type Asked, readCommand, type Verb } from './command.ts'
import { processConfig } from './config.ts'
import { readOperator } from './operatorKey.ts'
import { coldWalletOf } from './ports.ts'
import { runTool } from './tool.ts'

const USAGE = `npm run journal -- list
npm run journal -- day
npm run journal -- copy FILE
npm run journal -- compare
npm run journal -- accept --as FILE --why "REASON"
npm run journal -- challenge CHAIN
npm run journal -- prove CHAIN SIGNATURE --as FILE --why "REASON"

copy writes a backup to FILE, also while the signer runs. compare says what the database has and the journal lacks, which the signer refuses to go
on with (exit 1), and what the journal has and the database lacks, which the signer stores again.

list shows the payments of the last 30 days, day the sums of the last 24 hours. Both check that no entry was changed or taken out.
accept lets the signer start although its journal lacks payments that the database knows: the file was lost for good. Before it,
compare the payments of the database with the chains: what is on its way there and in neither could be paid again.

challenge shows the text that the holder of the cold key of CHAIN (${CHAINS.join(', ')}) signs on the offline machine, once: as a signed
message of the first address (Bitcoin, base64), as personal_sign (Ethereum, 0x…), or as a token (CPC, 160 characters). prove checks the
signature and keeps it: from then on the signer moves coins to cold storage. FILE holds your own Ed25519 private key (PEM), which OPERATOR_KEYS
knows.`

const DAY_MS = 24 * 3_600_000
const LISTED_DAYS = 30

const dollars = (cents: bigint) => `$${(cents / 100n).toString()}.${(cents % 100n).toString().padStart(2, '0')}`

async function main(): Promise<number> {
  const read = readCommand(VERBS, process.argv.slice(2))
  if (!read) {
    console.error(USAGE)
    return 2
  }
  const { chains, withdrawals } = processConfig()
  const { signerJournal } = chains
  if (!signerJournal) {
    console.error('SIGNER_JOURNAL names no file.')
    return 1
  }
  const by = read.verb.isDecision ? readOperator(withdrawals, read.asked.as)?.name : ''
  if (by === undefined) return 1
  const journal = openJournal(signerJournal)
  try {
    const now = new Date()
    const since = (days: number): Entry[] =>
      CHAINS.flatMap((chain) => journal.since(chain, new Date(now.getTime() - days * DAY_MS))).toSorted(
        (one, other) => one.at.getTime() - other.at.getTime()
      )
    const { why, name } = read.asked
    if (name === 'accept') {
      journal.accept(`staff:${by}`, why, now)
      console.log('Accepted. The signer starts with this journal.')
    }
    if (name === 'list')
      for (const { at, chain, purpose, token, amount, receiver, transactionId, attempt, cents } of since(LISTED_DAYS))
        console.log(
          `${at.toISOString()}  ${chain}  ${purpose}${attempt > 0 ? `, attempt ${attempt + 1}` : ''}  ${formatExactUnits(amount, token)} ${token} (${dollars(cents)}) to ${receiver}  ${transactionId}`
        )
    if (name === 'day') printDay(since(1))
    if (name === 'copy') {
      await journal.copyTo(read.asked.words[0] ?? '')
      console.log('Copied.')
    }
    if (name === 'compare') return await compare(journal, since(LISTED_DAYS))
    if (name === 'challenge' || name === 'prove') return await prove(read.asked, { journal, by, at: now })
    return 0
  } finally {
    journal.close()
  }
}

/** Says how the journal and the database differ; 1 where the signer would refuse to go on. */
async function compare(journal: Journal, signed: Entry[]): Promise<number> {
  let exit = 0
  await runTool(async ({ db }) => {
    const refused = await requireWholeJournal(db, journal).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof JournalError) return error.message
        throw error
      }
    )
    const unstored = await unstoredOf(db, signed)
    console.log(refused ?? 'The journal has every payment that the database knows.')
    console.log(
      `The database lacks ${unstored.length} payments of the last ${LISTED_DAYS} days that the journal has. The signer stores them again.`
    )
    for (const { at, chain, token, amount, transactionId } of unstored)
      console.log(`${at.toISOString()}  ${chain}  ${formatExactUnits(amount, token)} ${token}  ${transactionId}`)
    exit = refused ? 1 : 0
    return exit
  })
  return exit
}

/** Shows the challenge or, with a signature, checks and keeps it. */
async function prove(
  { words: [chain = '', signature], why }: Asked,
  { journal, by, at }: { journal: Journal; by: string; at: Date }
): Promise<number> {
  const wallet = isChain(chain) ? await coldWalletOf(processConfig().chains, chain) : undefined
  if (!wallet) {
    console.error(`The settings name no cold storage of ${chain}.`)
    return 1
  }
  const challenge = coldChallenge(wallet)
  if (signature === undefined) {
    console.log(challenge)
    console.log(`First address: ${wallet.addressAt('cold', 0).address}`)
    return 0
  }
  if (!(await wallet.isSigned(challenge, signature))) {
    console.error(`The signature is not that of the key for this text: ${challenge}`)
    return 1
  }
  journal.keepColdProof({ keyId: wallet.id, signature, by: `staff:${by}`, why, at })
  console.log('Kept. The signer moves coins to this key.')
  return 0
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
  copy: { words: [(file) => file !== ''], run: nothing },
  compare: { run: nothing },
  accept: { isDecision: true, run: nothing },
  challenge: { words: [isChain], run: nothing },
  prove: { words: [isChain, (signature) => signature !== ''], isDecision: true, run: nothing }
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof JournalError || error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
