/** The Purchase Details modal of the history: loads the chosen order. */

import { map } from 'nanostores'
import type { Order } from '#lib/contract/types.ts'
import { historyTexts } from '#messages/orders/history.ts'
import { loadFailed, texts } from '#messages/platform/texts.ts'
import { call } from '../platform/call.ts'
import { sentenceOf } from '../platform/failure.ts'

type State = { id: string | undefined; order: Order | undefined; error: string | undefined }

/** `first`: the order named in the URL, as the server read it, or why it could not. */
export type FirstOrder = { id: string; order: Order | undefined; error: string | undefined }

export function createOrderDetails(first: FirstOrder | undefined) {
  const state = map<State>(first ?? { id: undefined, order: undefined, error: undefined })

  async function open(id: string): Promise<void> {
    state.set({ id, order: undefined, error: undefined })
    try {
      const order = await call('getOrder', { params: { id } })
      if (state.get().id === id) state.setKey('order', order)
    } catch (error) {
      if (state.get().id === id) state.setKey('error', loadFailed(historyTexts.what, sentenceOf(error, texts.unreachable)))
    }
  }

  /**
   * Reads the open order again: its payment may have arrived. A failure changes nothing. An answer is dropped where the
   * order has changed since it was asked for: it may be older.
   */
  async function follow(): Promise<void> {
    const { id, order } = state.get()
    if (!id || !order) return
    const fresh = await call('getOrder', { params: { id } }).catch(() => undefined)
    if (fresh && state.get().id === id && state.get().order === order) state.setKey('order', fresh)
  }

  /** Keeps `order`, so that it stays visible while the dialog fades out. */
  function close(): void {
    state.setKey('id', undefined)
  }

  return { state, open, follow, close }
}
