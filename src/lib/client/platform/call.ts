/** Calls of the API. The HTTP client is loaded on the first call: no page needs it before a tap. */
import type { CallName } from '#lib/contract/calls.ts'
import type { Answer } from '#lib/contract/types.ts'
import { CallError } from './failure.ts'
import type { Input } from './http.ts'
import { loadChunk } from './loadChunk.ts'

/** Makes a call of the contract and returns its data; throws CallError. */
export async function call<K extends CallName>(name: K, input: Input<K> = {}): Promise<Answer<K>> {
  // Checked before sending, so that the message may say that nothing was moved.
  if (globalThis.navigator?.onLine === false) throw new CallError('offline')
  const http = await loadChunk(() => import('./http.ts')).catch((cause: unknown) => {
    throw new CallError(undefined, { cause })
  })
  return http.callNow(name, input)
}
