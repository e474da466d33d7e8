/** Moving between the spot and the funding account (spec sections 5 and 8). */

import { map } from 'nanostores'
import type { Balance, Balances } from '#lib/contract/types.ts'
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { amountMessages, walletTexts } from '#lib/messages/en/wallet.ts'
import { call } from '../platform/call.ts'
import { sentenceOf } from '../platform/failure.ts'
import { notify } from '../platform/notices.ts'
import { refreshQueries } from '../platform/queries.ts'

export type Side = 'spot' | 'funding'
type State = {
  /** The token whose dialog is open. */
  currency: string | undefined
  from: Side
  /** What each side can give, in smallest units. */
  spot: bigint
  funding: bigint
  amount: string
  error: string | undefined
  busy: boolean
}

const closed: State = { currency: undefined, from: 'spot', spot: 0n, funding: 0n, amount: '', error: undefined, busy: false }

function sidesOf({ wallet: { spotBalance, fundingBalance } }: Balance): Pick<State, Side> {
  return { spot: BigInt(spotBalance), funding: BigInt(fundingBalance.total) - BigInt(fundingBalance.frozen_balance) }
}

export function createMoveFunds() {
  const state = map<State>(closed)
  let idempotencyKey = ''

  /** A changed form is a new move with a new key; sending the same form again counts once. */
  function change(changes: Partial<State>): void {
    if (state.get().busy) return
    idempotencyKey = crypto.randomUUID()
    state.set({ ...state.get(), error: undefined, ...changes })
  }

  function open(balance: Balance): void {
    const sides = sidesOf(balance)
    const from = sides.spot === 0n && sides.funding > 0n ? 'funding' : 'spot'
    change({ ...closed, ...sides, currency: balance.currency, from })
  }

  /** Takes newer balances, e.g. after a refused transfer, and keeps what was typed. */
  function update(balances: Balances): void {
    const own = balances[state.get().currency ?? '']
    if (own) state.set({ ...state.get(), ...sidesOf(own) })
  }

  function takeAll(): void {
    const { from, currency, [from]: units } = state.get()
    change({ amount: formatExactUnits(units, currency ?? '') })
  }

  async function submit(): Promise<void> {
    const { currency, from, amount, busy, [from]: available } = state.get()
    if (busy || currency === undefined) return
    const read = readAmount(amount, decimalsOf(currency))
    if (read.error !== undefined) return state.setKey('error', amountMessages[read.error])
    if (read.units > available)
      return state.setKey('error', from === 'spot' ? walletTexts.insufficientSpot : walletTexts.insufficientFunding)
    state.set({ ...state.get(), busy: true, error: undefined })
    try {
      const name = from === 'spot' ? 'moveSpotToFunding' : 'moveFundingToSpot'
      await call(name, { body: { currency, amount: read.units.toString() }, idempotencyKey })
      state.set({ ...state.get(), busy: false, currency: undefined })
      notify('success', walletTexts.moved)
    } catch (error) {
      state.set({ ...state.get(), busy: false, error: sentenceOf(error, walletTexts.transferFailed) })
    }
    refreshQueries('getBalance')
  }

  return {
    state,
    open,
    update,
    takeAll,
    submit,
    choose: (from: Side) => change({ from }),
    type: (amount: string) => change({ amount }),
    close: () => change({ currency: undefined })
  }
}
