/**
 * Every call of the API with its rules, by feature. The server mounts this list, the client calls by these names, and a
 * test compares `/v1/openapi.json` with it.
 */
import { accessCalls } from './access.ts'
import { activityCalls } from './activity.ts'
import { depositsCalls } from './deposits.ts'
import { documentsCalls } from './documents.ts'
import { helpCalls } from './help.ts'
import { identityCalls } from './identity.ts'
import { newsCalls } from './news.ts'
import { noticesCalls } from './notices.ts'
import { ordersCalls } from './orders.ts'
import { p2pCalls } from './p2p.ts'
import { referralCalls } from './referral.ts'
import { stakingCalls } from './staking.ts'
import { walletCalls } from './wallet.ts'
import { withdrawalsCalls } from './withdrawals.ts'

export const calls = {
  ...accessCalls,
  ...identityCalls,
  ...walletCalls,
  ...ordersCalls,
  ...depositsCalls,
  ...withdrawalsCalls,
  ...p2pCalls,
  ...stakingCalls,
  ...referralCalls,
  ...newsCalls,
  ...noticesCalls,
  ...activityCalls,
  ...documentsCalls,
  ...helpCalls
}

export type CallName = keyof typeof calls

export function isOpenCall(name: CallName): boolean {
  return calls[name].who === 'anyone'
}

/** The path with its parameters filled in, e.g. `/orders/combo/RF18…`. */
export function pathOf(name: CallName, params: Record<string, string | number> = {}): string {
  const { path } = calls[name]
  if (!path.includes('{')) return path
  return path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = String(params[key] ?? '')
    // `.`, `..` or an empty value would lead to another call.
    if (/^\.{0,2}$/.test(value)) throw new RangeError(`Not a part of a path: "${value}"`)
    return encodeURIComponent(value)
  })
}
