/** Moving funds between the spot and the funding account (spec sections 5 and 8), and from rewards to spot. */

import type { Balance, Balances } from '#lib/contract/types.ts'
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { P2P_ASSET } from '#lib/domain/p2p/order.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { moveFundsTexts } from '#messages/wallet/moveFunds.ts'
import { amountMessages, walletTexts } from '#messages/wallet/wallet.ts'
import { call } from '../platform/call.ts'
import { sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { keyedRequests } from '../platform/keyedRequests.ts'
import { refreshQueries } from '../platform/queries.ts'
import { notify } from '../platform/toasts.ts'

export type Side = 'spot' | 'funding' | 'reward'
type More = {
  /** The token whose dialog is open. */
  currency: string | undefined
  from: Side
  /** The amount that can be moved from each side, in smallest units. */
  spot: bigint
  funding: bigint
  reward: bigint
}

const CALLS = { spot: 'moveSpotToFunding', funding: 'moveFundingToSpot', reward: 'moveRewardToSpot' } as const
const MISSING: Record<Side, string> = {
  spot: walletTexts.insufficientSpot,
  funding: walletTexts.insufficientFunding,
  reward: walletTexts.insufficientReward
}

function sidesOf({ rewardBalance, wallet: { spotBalance, fundingBalance } }: Balance): Pick<More, Side> {
  return {
    spot: BigInt(spotBalance),
    funding: BigInt(fundingBalance.total) - BigInt(fundingBalance.frozen_balance),
    reward: BigInt(rewardBalance)
  }
}

/** The first side with something to move. */
function firstOf(sides: Pick<More, Side>): Side {
  return (['spot', 'funding', 'reward'] as const).find((side) => sides[side] > 0n) ?? 'spot'
}

const requests = keyedRequests<{ from: Side; currency: string; amount: string }>('move-keys')

function openMarket(): void {
  const link = document.querySelector<HTMLAnchorElement>('#menu [data-market]')
  if (!link) return
  link.href = link.dataset.market ?? ''
  link.hidden = false
}

export function createMoveFunds() {
  const form = createForm<'amount', More>(
    { amount: '' },
    { currency: undefined, from: 'spot', spot: 0n, funding: 0n, reward: 0n }
  )
  const { state } = form
  /** A move of which nobody knows whether it was carried out stays as it is. */
  function change(changes: Partial<ReturnType<typeof state.get>>): void {
    if (state.get().busy) return
    if (requests.undecided()) {
      form.change({ errors: { amount: requests.said() } })
      return
    }
    form.change({ errors: {}, ...changes })
  }

  /** `from`: the side to begin with, if it has something to move. */
  function open(currency: string, balance: Balance, from?: Side): void {
    const sides = sidesOf(balance)
    const undecided = requests.undecided()
    if (undecided) form.change({ currency: undecided.currency, from: undecided.from })
    change({
      ...sides,
      currency,
      from: from && sides[from] > 0n ? from : firstOf(sides),
      fields: { amount: '' }
    })
  }

  /** Takes newer balances, e.g. after a refused transfer, and keeps what was typed. */
  function update(balances: Balances): void {
    const own = balances[state.get().currency ?? '']
    if (own) form.change(sidesOf(own))
  }

  function type(_field: 'amount', amount: string): void {
    change({ fields: { amount } })
  }

  function takeAll(): void {
    const { from, currency, [from]: units } = state.get()
    type('amount', formatExactUnits(units, currency ?? ''))
  }

  function checked({ currency, from, available, typed }: { currency: string; from: Side; available: bigint; typed: string }) {
    const read = readAmount(typed, decimalsOf(currency))
    if (read.error !== undefined) {
      form.check({ amount: amountMessages[read.error] })
      return undefined
    }
    const there = `${formatExactUnits(available, currency)} ${currency}`
    const problem = read.units > available ? moveFundsTexts.youHave(MISSING[from], there, from) : undefined
    return form.check({ amount: problem }) ? { from, currency, amount: read.units.toString() } : undefined
  }

  async function submit(): Promise<void> {
    const { currency, from, fields, busy, [from]: available } = state.get()
    if (busy || currency === undefined) return
    const asked = requests.undecided() ?? checked({ currency, from, available, typed: fields.amount })
    if (!asked) return
    await form.submit(
      async () => {
        await requests.send(asked, (move, idempotencyKey) =>
          call(CALLS[move.from], { body: { currency: move.currency, amount: move.amount }, idempotencyKey })
        )
        form.change({ currency: undefined })
        notify('success', walletTexts.moved)
        // The first CPC in funding open the market: the menu of this page shows it at once.
        if (asked.currency === P2P_ASSET && asked.from === 'spot') openMarket()
      },
      (error) => ({ amount: sentenceOf(error, walletTexts.transferFailed) })
    )
    refreshQueries('getBalance')
  }

  return {
    state,
    open,
    update,
    type,
    takeAll,
    submit,
    choose: (from: Side) => change({ from }),
    // The window may be closed; opened again, it shows the move that is undecided.
    close: () => {
      if (!state.get().busy) form.change({ currency: undefined })
    }
  }
}
