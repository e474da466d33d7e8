/** Buying an amount across the book: what it takes and costs, and sending it with an idempotency key. */
import type { Answer } from '#lib/contract/types.ts'
import { P2P_ASSET } from '#lib/domain/p2p/order.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import { call } from '../platform/call.ts'
import { sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { keyedRequests } from '../platform/keyedRequests.ts'

/** What an amount would take and cost now. */
export type Plan = Answer<'previewP2pSweep'>
type Guarded = <T>(action: () => Promise<T>) => Promise<T | undefined>

/** `amount` in smallest units; undefined if the call fails. */
export function planFor(amount: string): Promise<Plan | undefined> {
  return call('previewP2pSweep', { query: { amount } }).catch(() => undefined)
}

const requests = keyedRequests<{ amount: string; least: string; most: string }>('p2p-sweep-keys')

/** `onBought`: the trades are booked. `onChanged`: the purchase failed; the book may have changed. */
export function createSweep({ onBought, onChanged }: { onBought: (amount: string) => void; onChanged: () => void }) {
  const form = createForm<never, object>({}, {})

  /** Buys what the plan says: no less, and at no higher cost. */
  async function submit({ assetAmount, grossSettlementAmount }: Plan, guarded: Guarded): Promise<void> {
    const asked = requests.undecided() ?? { amount: assetAmount, least: assetAmount, most: grossSettlementAmount }
    let isDone = false
    await form.submit(
      async () => {
        const made = await requests.send(asked, (body, idempotencyKey) =>
          guarded(() => call('sweepP2pBook', { body, idempotencyKey }))
        )
        isDone = made !== undefined
      },
      (error) => {
        // A changed book would make another purchase of it.
        if (!requests.undecided()) onChanged()
        return sentenceOf(error, texts.failed)
      }
    )
    if (!isDone) return
    onBought(`${formatExactUnits(asked.amount, P2P_ASSET)} ${P2P_ASSET}`)
  }

  /** Opened again, it says that a purchase is undecided, and which. */
  function reset(): void {
    const { amount } = requests.undecided() ?? {}
    form.reset(amount ? { error: `${requests.said()} (${formatExactUnits(amount, P2P_ASSET)} ${P2P_ASSET})` } : {})
  }

  return { state: form.state, type: form.type, submit, reset }
}
