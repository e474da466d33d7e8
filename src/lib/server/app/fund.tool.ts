/** `npm run fund`: shows what the fund of staking rewards has and will need, fills it, and ends the payouts of an order. */
import { isReference } from '#lib/domain/orders/reference.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { AlreadyBookedError, houseBalance } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import { cancelPayouts, fillFund, reclaimTokens, rewardsDueBy } from '../staking/index.ts'
import { runCommand, unitsTyped } from './command.ts'

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
const STAKED = ['CPC', 'PTC']

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

/** Prints `sentence` where it was booked before, and answers the exit code. */
async function once(book: () => Promise<number>, sentence: string): Promise<number> {
  try {
    return await book()
  } catch (error) {
    if (!(error instanceof AlreadyBookedError)) throw error
    console.error(`${sentence} Nothing was booked now.`)
    return 1
  }
}

await runCommand(USAGE, {
  list: { run: list },
  fund: {
    words: [(code) => STAKED.includes(code), (amount) => /^\d/.test(amount)],
    options: { ref: (text) => /^[\w.:-]{1,60}$/.test(text) },
    signed: 'name',
    run: (context, { words: [currency = '', amount = ''], options: { ref = '' }, actor }) => {
      const units = unitsTyped(currency, amount)
      if (units === 0n) {
        console.error(USAGE)
        return Promise.resolve(2)
      }
      return once(async () => {
        await fillFund(context, { currency, units, reference: ref, actor })
        const has = formatExactUnits(await houseBalance(context.db, 'staking_rewards', currency), currency)
        console.log(`The fund has ${has} ${currency} now. What is due is paid within a minute.`)
        return 0
      }, `${ref} was booked before.`)
    }
  },
  cancel: {
    words: [isReference],
    signed: 'decision',
    run: async (context, { words: [orderId = ''], actor, why }) => {
      const cancelled = await cancelPayouts(context, { orderId, actor, why })
      console.log(`${cancelled} payouts were cancelled.`)
      return cancelled > 0 ? 0 : 1
    }
  },
  take: {
    words: [isReference],
    signed: 'decision',
    run: (context, { words: [orderId = ''], actor, why }) =>
      once(async () => {
        const taken = await reclaimTokens(context, { orderId, actor, why })
        console.log(
          taken
            ? `${formatExactUnits(taken.units, taken.currency)} ${taken.currency} were taken back.`
            : 'Nothing of this order was cancelled that is still staked or locked: cancel first.'
        )
        return taken ? 0 : 1
      }, 'The tokens of this order were taken back before.')
  }
})
