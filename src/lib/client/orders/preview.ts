/** Purchase preview (spec sections 2, 4 and 5): the order is made once, then the customer says that it is paid. */

import type { Order } from '#lib/contract/types.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { texts } from '#lib/messages/en/platform/texts.ts'
import { call } from '../platform/call.ts'
import { sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'

export const TERMS = ['crypto', 'custody', 'staking'] as const
export type Term = (typeof TERMS)[number]

type More = {
  order: Order | undefined
  orderError: string | undefined
  ticked: Record<Term, boolean>
  /** The dialog 'Payment Confirmed!' is open. */
  declared: boolean
}

const BANK_ACCOUNT_ID = 1

/** `onOrder` receives the order, so that the page can keep it in the URL and a reload shows the same one. */
export function createPreview(comboConfigId: number, first: Order | undefined, onOrder: (order: Order) => void) {
  const form = createForm<never, More>(
    {},
    { order: first, orderError: undefined, ticked: { crypto: false, custody: false, staking: false }, declared: false }
  )
  const { state } = form
  /** One key for all tries of this page, so that a lost answer leaves one order. */
  const idempotencyKey = crypto.randomUUID()
  let loading: Promise<void> | undefined

  async function createOnce(): Promise<void> {
    form.change({ orderError: undefined })
    try {
      const order = await call('createOrder', { body: { comboConfigId, bankAccountId: BANK_ACCOUNT_ID }, idempotencyKey })
      form.change({ order })
      onOrder(order)
    } catch (error) {
      form.change({ orderError: sentenceOf(error, texts.unreachable) })
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
    if (fresh && !state.get().busy) form.change({ order: fresh })
  }

  function tick(term: Term, value: boolean): void {
    form.change({ ticked: { ...state.get().ticked, [term]: value } })
  }

  async function declarePaid(): Promise<void> {
    const { order } = state.get()
    if (!order || !mayDeclare(state.get())) return
    await form.submit(
      async () => {
        const paid = await call('declarePaid', { params: { id: order.id }, body: { orderComboId: order.id } })
        form.change({ order: paid, declared: paid.status === ORDER_STATUS.processing })
      },
      (error) => sentenceOf(error, texts.unreachable)
    )
  }

  function dismiss(): void {
    form.change({ declared: false })
  }

  return { state, load, follow, tick, declarePaid, dismiss }
}

/** All terms are ticked and the order waits for the customer's confirmation. */
export function mayDeclare({ order, ticked }: Pick<More, 'order' | 'ticked'>): boolean {
  return order?.status === ORDER_STATUS.pending && TERMS.every((term) => ticked[term])
}
