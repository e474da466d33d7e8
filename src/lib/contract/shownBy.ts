/** For a caller who sent no Idempotency-Key and does not know whether a call was carried out: the call that shows it. */
import { type CallName, calls } from './calls.ts'

type KeyedCall = { [K in CallName]: (typeof calls)[K]['key'] extends 'optional' ? K : never }[CallName]

const shownBy: Record<KeyedCall, CallName> = {
  moveSpotToFunding: 'getStatement',
  moveFundingToSpot: 'getStatement',
  moveRewardToSpot: 'getStatement',
  createOrder: 'listOrders',
  withdrawCpc: 'listWithdrawals',
  withdrawEth: 'listWithdrawals',
  withdrawBtc: 'listWithdrawals',
  createP2pOrder: 'listOwnP2pOrders',
  fillP2pOrder: 'listP2pTrades',
  sweepP2pBook: 'listP2pTrades'
}

/** E.g. `GET /v1/users/withdraw/history`; undefined for calls that may simply be repeated. */
export function whereShown(name: CallName): string | undefined {
  const shown = name in shownBy ? shownBy[name as KeyedCall] : undefined
  return shown && `${calls[shown].method} /v1${calls[shown].path}`
}
