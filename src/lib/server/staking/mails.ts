/** Mails about payouts. */
import { formatExactUnits } from '#lib/format/amount.ts'
import type { User } from '../access/index.ts'
import type { Context } from '../platform/context.ts'
import type { NewJob } from '../platform/jobs/insert.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { PayoutRow } from './schema.ts'

const MAILS = { reward: 'stakingRewarded', principal: 'stakingReturned', bonus: 'bonusReleased' } as const

export function payoutMail({ origin }: Context, to: Pick<User, 'id' | 'email' | 'locale'>, payout: PayoutRow): NewJob {
  const { orderId, kind, units, currency } = payout
  return mailTo({ ...to }, MAILS[kind], {
    orderId,
    amount: `${formatExactUnits(units, currency)} ${currency}`,
    link: `${origin}/staking?order=${orderId}`
  })
}
