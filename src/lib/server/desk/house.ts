/** What is the house's own: jobs that gave up, prices in doubt, the fund of staking rewards, coins that are nobody's yet. */
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { suspendedCoins } from '../deposits/index.ts'
import { houseBalance } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import { givenUpJobs } from '../platform/jobs/read.ts'
import { openDoubts } from '../rates/index.ts'
import { rewardsDueBy } from '../staking/index.ts'

const DAY_MS = 86_400_000

export async function houseOf(context: Context): Promise<DeskAnswer<'getHouse'>> {
  const { db } = context
  const [jobs, doubts, coins, fund] = await Promise.all([givenUpJobs(db), openDoubts(db), suspendedCoins(db), fundOf(context)])
  return {
    jobs: jobs.map(({ id, kind, tries, failedAt, lastError }) => ({
      id: String(id),
      kind,
      tries,
      failedAt: (failedAt ?? new Date(0)).toISOString(),
      error: lastError ?? '',
      mayRetry: kind !== 'mail'
    })),
    doubts: doubts.map(({ currency, priceUsd, usedUsd, reason, foundAt }) => ({
      currency,
      priceUsd,
      usedUsd,
      reason,
      foundAt: foundAt.toISOString()
    })),
    fund,
    coins: coins.map(({ kind, id, currency, amount, about, at }) => ({
      id: `${kind}:${id}`,
      currency,
      amount: amount.toString(),
      about,
      at: at.toISOString()
    }))
  }
}

async function fundOf(context: Context): Promise<DeskAnswer<'getHouse'>['fund']> {
  const now = context.clock().getTime()
  const [soon, later] = await Promise.all([30, 100].map((days) => rewardsDueBy(context, new Date(now + days * DAY_MS))))
  return Promise.all(
    (later ?? []).map(async ({ currency, units }) => ({
      currency,
      has: (await houseBalance(context.db, 'staking_rewards', currency)).toString(),
      dueIn30Days: (soon?.find((one) => one.currency === currency)?.units ?? 0n).toString(),
      dueIn100Days: units.toString()
    }))
  )
}
