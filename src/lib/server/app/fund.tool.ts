/** `npm run fund`: shows what the fund of staking rewards has and will need. It is filled at the desk. */
import { formatExactUnits } from '#lib/format/amount.ts'
import { houseBalance } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import { rewardsDueBy } from '../staking/index.ts'
import { runCommand } from './command.ts'

const USAGE = `npm run fund -- list

Staking rewards are paid from a fund that cannot go below zero. Two persons of finance fill it at the desk (page House).`

const DAY_MS = 86_400_000
/** The last spans a little more than a quarter, so that it includes each stake's next reward. */
const AHEAD_DAYS = [0, 30, 100]

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

await runCommand(USAGE, { list: { run: list } })
