/** What the features register, in one place: hooks, clean-ups, checks of the books. */
import { accessCleanUp } from '../access/index.ts'
import type { LedgerCheck } from '../ledger/index.ts'
import { type OnOrderCompleted, orderChecks } from '../orders/index.ts'
import { paymentChecks } from '../payments/index.ts'
import type { CleanUp } from '../platform/jobs/sweep.ts'
import { referralChecks, rewardInviter } from '../referral/index.ts'
import { stakeChecks, stakeOnCompletion } from '../staking/index.ts'

export const cleanUps: CleanUp[] = [accessCleanUp]

export const ledgerChecks: LedgerCheck[] = [...orderChecks, ...paymentChecks, ...stakeChecks, ...referralChecks]

/** The consequences of a completed order, in this sequence: the stake, then the inviter's reward. */
export const onOrderCompleted: OnOrderCompleted = async (work, order) => [
  ...(await stakeOnCompletion(work, order)),
  ...(await rewardInviter(work, order))
]
