/**
 * Purchase preview (spec sections 2, 4 and 5) in four steps: review, accept, pay, waiting. The page creates the order once; after
 * paying, the customer declares it paid.
 */

import type { Body, Order } from '#lib/contract/types.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { previewTexts } from '#messages/orders/preview.ts'
import { texts } from '#messages/platform/texts.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { keyedRequests } from '../platform/keyedRequests.ts'
import { goTo } from '../platform/navigation.ts'
import { notifyNextPage } from '../platform/toasts.ts'

export const TERMS = ['crypto', 'custody', 'staking'] as const
export type Term = (typeof TERMS)[number]

export const STEPS = ['review', 'accept', 'pay', 'waiting'] as const
export type Step = (typeof STEPS)[number]

/** The versions of the terms that this page shows. */
export type ShownTerms = Body<'acceptOrderTerms'>['versions']

type More = {
  order: Order | undefined
  orderError: string | undefined
  /** The step that the customer chose; the order's status overrides it, see `stepOf`. */
  step: Step
  ticked: Record<Term, boolean>
  /** The dialog 'Payment Confirmed!' is open. */
  declared: boolean
}

const requests = keyedRequests<{ comboConfigId: number; visit: string }>('order-keys')
const BANK_ACCOUNT_ID = 1
const NONE = { crypto: false, custody: false, staking: false }
const ALL = { crypto: true, custody: true, staking: true }

/** Does not say that the order was not created while that is unknown. */
function noOrderBecause(error: unknown): string {
  const sentence = sentenceOf(error, texts.unreachable)
  return error instanceof CallError && error.code === 'outcome_unknown' ? sentence : previewTexts.noOrder(sentence)
}

/** `onOrder` receives the order, so that the page can keep it in the URL and a reload shows the same one. */
export function createPreview(
  comboConfigId: number,
  first: Order | undefined,
  versions: ShownTerms,
  onOrder: (order: Order) => void
) {
  const form = createForm<never, More>({}, { order: first, orderError: undefined, step: 'review', ticked: NONE, declared: false })
  const { state } = form
  /** The same for all tries of this page, so that a retry after a lost answer makes no second order; and another one for the next visit. */
  const asked = { comboConfigId, visit: crypto.randomUUID() }
  let loading: Promise<void> | undefined

  async function createOnce(): Promise<void> {
    form.change({ orderError: undefined })
    try {
      const order = await requests.send(asked, (_, idempotencyKey) =>
        call('createOrder', { body: { comboConfigId, bankAccountId: BANK_ACCOUNT_ID }, idempotencyKey })
      )
      if (!order) return
      form.change({ order })
      onOrder(order)
    } catch (error) {
      form.change({ orderError: noOrderBecause(error) })
    }
  }

  function load(): Promise<void> {
    const { order } = state.get()
    if (order) {
      // A customer who comes back to pay has already accepted the terms of this order.
      if (order.termsAcceptedAt) form.change({ ticked: ALL, step: 'pay' })
      return Promise.resolve()
    }
    loading ??= createOnce().finally(() => {
      loading = undefined
    })
    return loading
  }

  /**
   * Reads the order again: its payment may have arrived. A failure changes nothing. An answer is dropped where the order has
   * changed since it was asked for: it may be older.
   */
  async function follow(): Promise<void> {
    const { order, busy } = state.get()
    if (!order || busy) return
    const fresh = await call('getOrder', { params: { id: order.id } }).catch(() => undefined)
    if (fresh && !state.get().busy && state.get().order === order) form.change({ order: fresh })
  }

  function tick(term: Term, value: boolean): void {
    form.change({ ticked: { ...state.get().ticked, [term]: value } })
  }

  function goToStep(step: Step): void {
    form.change({ step, error: undefined })
  }

  /** Accepts the terms, which unlocks the bank details; the order records the accepted versions. */
  async function accept(): Promise<void> {
    const { order } = state.get()
    if (!order || !mayDeclare(state.get())) return
    await form.submit(
      async () => {
        const accepted = await call('acceptOrderTerms', { params: { id: order.id }, body: { versions } })
        form.change({ order: accepted, step: 'pay' })
      },
      (error) => sentenceOf(error, texts.unreachable)
    )
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

  async function cancel(): Promise<void> {
    const { order } = state.get()
    if (!order) return
    await form.submit(
      async () => {
        await call('cancelOrder', { params: { id: order.id } })
        notifyNextPage('success', previewTexts.cancelled)
        form.leave()
        goTo('/package-history?tab=order')
      },
      (error) => sentenceOf(error, texts.unreachable),
      'cancelling'
    )
  }

  function dismiss(): void {
    form.change({ declared: false })
  }

  return { state, load, follow, tick, goToStep, accept, declarePaid, cancel, dismiss }
}

/** True if all terms are ticked and the order is not declared paid yet. */
export function mayDeclare({ order, ticked }: Pick<More, 'order' | 'ticked'>): boolean {
  return order?.status === ORDER_STATUS.pending && TERMS.every((term) => ticked[term])
}

/** The step on the screen: 'waiting' if the order is declared paid, paid or cancelled, or has a payment that needs a check. */
export function stepOf({ order, step }: Pick<More, 'order' | 'step'>): Step {
  const isWaiting = order && (order.status !== ORDER_STATUS.pending || order.unfitPayment || order.cancelledAt)
  return isWaiting ? 'waiting' : step
}
