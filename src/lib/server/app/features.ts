/** What the features register, in one place: hooks, clean-ups, checks of the books. */
import { accessCleanUp, type OnAccountSecured } from '../access/index.ts'
import { depositActivity, depositChecks } from '../deposits/index.ts'
import { documentChecks, RECEIPT_JOB } from '../documents/index.ts'
import type { LedgerCheck } from '../ledger/index.ts'
import { newsCleanUp } from '../news/index.ts'
import { type OnOrderCompleted, orderActivity, orderChecks } from '../orders/index.ts'
import { endOrders, lockOrdersOf, p2pActivity, p2pChecks } from '../p2p/index.ts'
import { paymentActivity, paymentChecks } from '../payments/index.ts'
import type { ActivitySource } from '../platform/activitySource.ts'
import type { CleanUp } from '../platform/jobs/cleanUp.ts'
import { referralActivity, referralChecks, rewardInviter } from '../referral/index.ts'
import { returnActivity, revokeFeedOf, stakeChecks, stakeOnCompletion, stakingActivity } from '../staking/index.ts'
import { walletActivity } from '../wallet/index.ts'
import { endUnsigned, lockUnsignedOf, withdrawalActivity, withdrawalChecks } from '../withdrawals/index.ts'

export const activitySources: ActivitySource[] = [
  orderActivity,
  depositActivity,
  withdrawalActivity,
  p2pActivity,
  walletActivity,
  referralActivity,
  stakingActivity,
  returnActivity,
  paymentActivity
]

export const cleanUps: CleanUp[] = [accessCleanUp, newsCleanUp]

export const ledgerChecks: LedgerCheck[] = [
  ...orderChecks,
  ...paymentChecks,
  ...stakeChecks,
  ...referralChecks,
  ...depositChecks,
  ...withdrawalChecks,
  ...p2pChecks,
  ...documentChecks
]

/**
 * What stops when a customer reports somebody else in their account: open orders, withdrawals that are not signed, and the link of the
 * reward calendar.
 */
export const onAccountSecured: OnAccountSecured = async (context, work, userId) => {
  // All rows before the first booking: a purchase locks its order first, then the accounts.
  const [orders, withdrawals] = [await lockOrdersOf(work, userId), await lockUnsignedOf(work, userId)]
  await endUnsigned(context, work, withdrawals)
  await endOrders(context, work, orders)
  await revokeFeedOf(work, userId)
}

/** The consequences of a completed order, in this sequence: the stake, then the inviter's reward; its receipt is made afterwards. */
export const onOrderCompleted: OnOrderCompleted = async (context, work, order) => {
  const transfers = [...(await stakeOnCompletion(context, work, order)), ...(await rewardInviter(context, work, order))]
  await work.enqueue({ kind: RECEIPT_JOB, payload: { orderId: order.id } })
  return transfers
}
