/** The Purchase Details modal of the history: loads the order that was asked for. */
import { map } from 'nanostores'
import type { Order } from '../../contract/types.ts'
import { loadFailed, texts } from '../../messages/screens.ts'
import { call } from '../call.ts'
import { sentenceOf } from '../failure.ts'

type State = { id: string | undefined; order: Order | undefined; error: string | undefined }

export function createOrderDetails(first: Order | undefined) {
  const state = map<State>({ id: first?.id, order: first, error: undefined })

  async function open(id: string): Promise<void> {
    state.set({ id, order: undefined, error: undefined })
    try {
      const order = await call('getOrder', { params: { id } })
      if (state.get().id === id) state.setKey('order', order)
    } catch (error) {
      if (state.get().id === id) state.setKey('error', loadFailed('order', sentenceOf(error, texts.unexpected)))
    }
  }

  function close(): void {
    state.set({ id: undefined, order: undefined, error: undefined })
  }

  return { state, open, close }
}
