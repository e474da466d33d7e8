/**
 * `npm run withdrawals`: lists the withdrawals under way, approves or rejects one, halts or resumes sending on a chain, releases a
 * lost payment.
 */
import { parseArgs } from 'node:util'
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { endStop, lostSends, openStops, releaseSend, stopChain } from '../chains/index.ts'
import type { Context } from '../platform/context.ts'
import { transact } from '../platform/transaction.ts'
import { approveWithdrawal, openWithdrawals, rejectWithdrawal } from '../withdrawals/index.ts'
import { runWithPorts } from './tool.ts'

const USAGE = `npm run withdrawals -- list
npm run withdrawals -- approve WITHDRAWAL --by NAME --why "REASON"
npm run withdrawals -- reject WITHDRAWAL --by NAME --why "REASON"
npm run withdrawals -- halt CHAIN --by NAME --why "REASON"
npm run withdrawals -- resume CHAIN --by NAME --why "REASON"
npm run withdrawals -- release PAYMENT --by NAME --why "REASON"

CHAIN is ${CHAINS.join(', ')}. While a chain is halted, nothing is signed or sent on it. NAME and REASON are kept, and the
customer reads the reason of a rejection. A lost payment was signed, but the database no longer knows what for: released,
it is broadcast and booked as a loss; until then it holds its nonce or its coins.`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { by: { type: 'string' }, why: { type: 'string' } }
})
const [command, name = ''] = positionals
const { by = '', why = '' } = values
const chain = CHAINS.find((one) => one === name)
const isWithdrawal = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)
const isSigned = /^[\w.@-]{1,60}$/.test(by) && why.trim() !== ''
const isDecision = (command === 'approve' || command === 'reject' || command === 'release') && isWithdrawal
const isSwitch = (command === 'halt' || command === 'resume') && chain !== undefined

if (command !== 'list' && !(isSigned && (isDecision || isSwitch))) {
  console.error(USAGE)
  process.exit(2)
}

async function list(context: Context): Promise<number> {
  for (const one of CHAINS) {
    for (const stop of await openStops(context.db, one, 'sending'))
      console.log(`${one} is halted since ${stop.stoppedAt.toISOString()} by ${stop.actor}: ${stop.why}`)
  }
  for (const { id, currency, amount, receiver } of await lostSends(context.db))
    console.log(`LOST ${id}  ${formatExactUnits(amount, currency)} ${currency} to ${receiver}`)
  const open = await openWithdrawals(context)
  if (open.length === 0) console.log('No withdrawal is under way.')
  for (const { withdrawal, email } of open) {
    const { id, amount, currency, receiver, state, waits, requestedAt, usdCents } = withdrawal
    const worth = `$${(usdCents / 100n).toString()}`
    console.log(
      `${id}  ${requestedAt.toISOString()}  ${formatExactUnits(amount, currency)} ${currency} (${worth})  ${state}${waits ? `, waits: ${waits}` : ''}`
    )
    console.log(`    ${email} to ${receiver}`)
  }
  return 0
}

async function decide(context: Context): Promise<number> {
  const made = { id: name, actor: { kind: 'staff', id: by }, why: why.trim() } as const
  if (command === 'release') {
    const isReleased = await releaseSend(context, made)
    console.log(isReleased ? 'Released. It is broadcast next.' : 'There is no such lost payment.')
    return isReleased ? 0 : 1
  }
  const isDone = command === 'approve' ? await approveWithdrawal(context, made) : await rejectWithdrawal(context, made)
  if (!isDone) {
    console.error(command === 'approve' ? 'It does not wait for an approval.' : 'It is signed already, or over.')
    return 1
  }
  console.log(
    command === 'approve' ? 'Approved. The signer signs it next.' : 'Rejected. The customer has the amount back, and a mail.'
  )
  return 0
}

async function change(context: Context): Promise<number> {
  if (!chain) return 2
  const made = { actor: { kind: 'staff', id: by }, why: why.trim() } as const
  if (command === 'halt') {
    await stopChain(context, chain, made, 'sending')
    console.log(`Nothing is signed or sent on ${chain} any more.`)
    return 0
  }
  const stops = await openStops(context.db, chain, 'sending')
  if (stops.length === 0) {
    console.error(`${chain} is not halted.`)
    return 1
  }
  for (const stop of stops) console.log(`Ends: ${stop.why} (${stop.actor}, ${stop.stoppedAt.toISOString()})`)
  await transact(context, (work) => endStop(work, chain, made, 'sending'))
  console.log(`${chain} goes on.`)
  return 0
}

await runWithPorts((context) => (command === 'list' ? list(context) : isDecision ? decide(context) : change(context)))
