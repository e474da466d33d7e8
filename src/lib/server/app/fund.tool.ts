/** `npm run fund`: shows what the fund of staking rewards has and will need, fills it, and ends the payouts of an order. */
import { parseArgs } from 'node:util'
import { findToken } from '#lib/domain/money/currencies.ts'
import { readDecimal, toUnits } from '#lib/domain/money/decimal.ts'
import { isReference } from '#lib/domain/orders/reference.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { AlreadyBookedError, houseBalance } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import { cancelPayouts, fillFund, reclaimTokens, rewardsDueBy } from '../staking/index.ts'
import { runWithPorts } from './tool.ts'

const USAGE = `npm run fund -- list
npm run fund -- fund CURRENCY AMOUNT --ref REFERENCE --by NAME
npm run fund -- cancel ORDER --by NAME --why "REASON"
npm run fund -- take ORDER --by NAME --why "REASON"

Staking rewards are paid from a fund that cannot go below zero. fund moves AMOUNT coins (e.g. 250000 or 0.5) from the treasury into it. The
same REFERENCE, e.g. of the decision to do so, is never booked twice. cancel ends what an order's stake still pays, e.g. because its
payment was taken back; it cannot be undone. take then books the tokens that are still staked or locked for it to the treasury, once. CURRENCY is CPC or PTC.`

const DAY_MS = 86_400_000
/** The last spans a little more than a quarter, so that it includes each stake's next reward. */
const AHEAD_DAYS = [0, 30, 100]

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { by: { type: 'string' }, ref: { type: 'string' }, why: { type: 'string' } }
})
const [command, code = '', amount = ''] = positionals
const { by = '', ref = '', why = '' } = values
const STAKED = ['CPC', 'PTC']
const token = STAKED.includes(code) ? findToken(code) : undefined
const read = readDecimal(amount)
const units = token && read && read.scale <= token.decimals ? toUnits(read, token.decimals, 'down') : 0n
const isNamed = /^[\w.@-]{1,60}$/.test(by)
const isComplete: Record<string, boolean> = {
  list: positionals.length === 1,
  fund: positionals.length === 3 && units > 0n && isNamed && /^[\w.:-]{1,60}$/.test(ref),
  cancel: positionals.length === 2 && isReference(code) && isNamed && why.trim() !== '',
  take: positionals.length === 2 && isReference(code) && isNamed && why.trim() !== ''
}

if (!isComplete[command ?? '']) {
  console.error(USAGE)
  process.exit(2)
}

/** Exits with 1 if a reward is due that the fund cannot pay. */
async function list(context: Context): Promise<number> {
  const now = context.clock().getTime()
  let isEnough = true
  for (const days of AHEAD_DAYS)
    for (const { currency, units: due, payouts } of await rewardsDueBy(context, new Date(now + days * DAY_MS))) {
      const fund = await houseBalance(context.db, 'staking_rewards', currency)
      const isShort = due > fund
      if (isShort && days === 0) isEnough = false
      const [has, needed] = [formatExactUnits(fund, currency), formatExactUnits(due, currency)]
      const when = days === 0 ? 'due now' : `due within ${days} days`
      console.log(`${currency}  in the fund ${has}  ${when} ${needed} in ${payouts} payouts${isShort ? '  NOT ENOUGH' : ''}`)
    }
  if (isEnough) console.log('Everything that is due can be paid.')
  return isEnough ? 0 : 1
}

async function fund(context: Context): Promise<number> {
  try {
    await fillFund(context, { currency: code, units, reference: ref, actor: { kind: 'staff', id: by } })
  } catch (error) {
    if (!(error instanceof AlreadyBookedError)) throw error
    console.error(`${ref} was booked before. Nothing was booked now.`)
    return 1
  }
  const now = await houseBalance(context.db, 'staking_rewards', code)
  console.log(`The fund has ${formatExactUnits(now, code)} ${code} now. What is due is paid within a minute.`)
  return 0
}

async function cancel(context: Context): Promise<number> {
  const cancelled = await cancelPayouts(context, { orderId: code, actor: { kind: 'staff', id: by }, why: why.trim() })
  console.log(`${cancelled} payouts were cancelled.`)
  return cancelled > 0 ? 0 : 1
}

async function take(context: Context): Promise<number> {
  try {
    const taken = await reclaimTokens(context, { orderId: code, actor: { kind: 'staff', id: by }, why: why.trim() })
    console.log(
      taken
        ? `${formatExactUnits(taken.units, taken.currency)} ${taken.currency} were taken back.`
        : 'Nothing of this order was cancelled that is still staked or locked: cancel first.'
    )
    return taken ? 0 : 1
  } catch (error) {
    if (!(error instanceof AlreadyBookedError)) throw error
    console.error('The tokens of this order were taken back before. Nothing was booked now.')
    return 1
  }
}

const COMMANDS: Record<string, (context: Context) => Promise<number>> = { list, fund, cancel, take }
await runWithPorts((context) => COMMANDS[command ?? '']?.(context) ?? Promise.resolve(2))
