import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { balances } from '#lib/client/wallet/queries.ts'
import { formatShortUnits } from '#lib/format/amount.ts'
import { euroHistoryTexts as texts } from '#messages/euro/euro.ts'

/** The customer's real balance of rewards, the only figure of the euro screens that is not a sample. */
export function RewardsBalance() {
  const [isReady, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  return isReady ? <Figure /> : texts.loading
}

/** A component of its own, so that the server never reads the store. */
function Figure() {
  const { data, error } = useStore(balances)
  if (data) return <span className="eye">{`${formatShortUnits(data.CPC?.rewardBalance ?? '0', 'CPC')} CPC`}</span>
  return error ? texts.rewardsFailed : texts.loading
}
