/** What the features register, in one place: hooks, clean-ups, checks of the books. */
import { accessCleanUp } from '../access/index.ts'
import { depositActivity, depositChecks } from '../deposits/index.ts'
import type { LedgerCheck } from '../ledger/index.ts'
import { type OnOrderCompleted, orderActivity, orderChecks } from '../orders/index.ts'
import { paymentActivity, paymentChecks } from '../payments/index.ts'
import type { ActivitySource } from '../platform/activitySource.ts'
import type { CleanUp } from '../platform/jobs/sweep.ts'
import { referralActivity, referralChecks, rewardInviter } from '../referral/index.ts'
import { stakeChecks, stakeOnCompletion } from '../staking/index.ts'
import { walletActivity } from '../wallet/index.ts'
import { withdrawalActivity, withdrawalChecks } from '../withdrawals/index.ts'

export const activitySources: ActivitySource[] = [
  orderActivity,
  depositActivity,
  withdrawalActivity,
  walletActivity,
  referralActivity,
  paymentActivity
]

export const cleanUps: CleanUp[] = [accessCleanUp]

export const ledgerChecks: LedgerCheck[] = [
  ...orderChecks,
  ...paymentChecks,
  ...stakeChecks,
  ...referralChecks,
  ...depositChecks,
  ...withdrawalChecks
]

/** The consequences of a completed order, in this sequence: the stake, then the inviter's reward. */
export const onOrderCompleted: OnOrderCompleted = async (context, work, order) => [
  ...(await stakeOnCompletion(context, work, order)),
  ...(await rewardInviter(context, work, order))
]
