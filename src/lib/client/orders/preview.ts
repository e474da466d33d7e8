/** Purchase preview (spec sections 2, 4 and 5): the order is made once, then the customer says that it is paid. */

import { map } from 'nanostores'
import type { Order } from '#lib/contract/types.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { texts } from '#lib/messages/en/platform.ts'
import { call } from '../platform/call.ts'
import { sentenceOf } from '../platform/failure.ts'

export const TERMS = ['crypto', 'custody', 'staking'] as const
export type Term = (typeof TERMS)[number]

type State = {
  order: Order | undefined
  orderError: string | undefined
  ticked: Record<Term, boolean>
  busy: boolean
  declareError: string | undefined
  /** The dialog 'Payment Confirmed!' is open. */
  declared: boolean
}

const BANK_ACCOUNT_ID = 1

/** `onOrder` receives the order, so that the page can keep it in the URL and a reload shows the same one. */
export function createPreview(comboConfigId: number, first: Order | undefined, onOrder: (order: Order) => void) {
  const state = map<State>({
    order: first,
    orderError: undefined,
    ticked: { crypto: false, custody: false, staking: false },
    busy: false,
    declareError: undefined,
    declared: false
  })
  /** One key for all tries of this page, so that a lost answer leaves one order. */
  const idempotencyKey = crypto.randomUUID()
  let loading: Promise<void> | undefined

  async function createOnce(): Promise<void> {
    state.setKey('orderError', undefined)
    try {
      const order = await call('createOrder', { body: { comboConfigId, bankAccountId: BANK_ACCOUNT_ID }, idempotencyKey })
      state.setKey('order', order)
      onOrder(order)
    } catch (error) {
      state.setKey('orderError', sentenceOf(error, texts.unreachable))
    }
  }

  function load(): Promise<void> {
    if (state.get().order) return Promise.resolve()
    loading ??= createOnce().finally(() => {
      loading = undefined
    })
    return loading
  }

  /** Reads the order again: its payment may have arrived. A failure changes nothing. */
  async function follow(): Promise<void> {
    const { order, busy } = state.get()
    if (!order || busy) return
    const fresh = await call('getOrder', { params: { id: order.id } }).catch(() => undefined)
    if (fresh && !state.get().busy) state.setKey('order', fresh)
  }

  function tick(term: Term, value: boolean): void {
    state.setKey('ticked', { ...state.get().ticked, [term]: value })
  }

  async function declarePaid(): Promise<void> {
    const { order, busy } = state.get()
    if (!order || busy || !mayDeclare(state.get())) return
    state.set({ ...state.get(), busy: true, declareError: undefined })
    try {
      const paid = await call('declarePaid', { params: { id: order.id }, body: { orderComboId: order.id } })
      state.set({ ...state.get(), order: paid, busy: false, declared: paid.status === ORDER_STATUS.processing })
    } catch (error) {
      state.set({ ...state.get(), busy: false, declareError: sentenceOf(error, texts.unreachable) })
    }
  }

  function dismiss(): void {
    state.setKey('declared', false)
  }

  return { state, load, follow, tick, declarePaid, dismiss }
}

/** All terms are ticked and the order waits for the customer's confirmation. */
export function mayDeclare({ order, ticked }: Pick<State, 'order' | 'ticked'>): boolean {
  return order?.status === ORDER_STATUS.pending && TERMS.every((term) => ticked[term])
}
