/** The deposit address of a token, and its incoming deposits (spec section 2). */
import { map } from 'nanostores'
import type { Answer } from '#lib/contract/types.ts'
import { arrivalsOf } from '#lib/domain/deposits/deposit.ts'
import { texts } from '#messages/platform/texts.ts'
import { call } from '../platform/call.ts'
import { sentenceOf } from '../platform/failure.ts'

export type DepositAddress = Pick<Answer<'giveDepositAddress'>, 'address' | 'accountId' | 'publicKey'>
export type Deposit = Answer<'listDeposits'>[number]
type State = {
  address: DepositAddress | undefined
  error: string | undefined
  isAsking: boolean
  /** This token's deposits that are not credited yet or were credited within a day, see `arrivalsOf`. */
  arrivals: Deposit[]
}

const FOLLOWED = 20

export function createDeposit(currency: string, first: Pick<State, 'address' | 'arrivals'>, nowMs: () => number = Date.now) {
  const state = map<State>({ ...first, error: undefined, isAsking: false })

  /** Asks for the customer's address, or with `isNew` for a new one. The old address stays on screen until the new one arrives. */
  async function ask(isNew = false): Promise<void> {
    if (state.get().isAsking) return
    state.set({ ...state.get(), isAsking: true, error: undefined })
    try {
      const { address, accountId, publicKey } = await call('giveDepositAddress', { body: { currency, isNew } })
      state.setKey('address', { address, accountId, publicKey })
    } catch (error) {
      state.setKey('error', sentenceOf(error, texts.unreachable))
    } finally {
      state.setKey('isAsking', false)
    }
  }

  /** Reads the deposits again. A failure changes nothing. */
  async function follow(): Promise<void> {
    const fresh = await call('listDeposits', { query: { size: FOLLOWED } }).catch(() => undefined)
    if (fresh) state.setKey('arrivals', arrivalsOf(fresh, currency, nowMs()))
  }

  return { state, ask, follow }
}
