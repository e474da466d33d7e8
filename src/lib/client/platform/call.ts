/** Calls of the API, with the HTTP client loaded on the first one: no page needs it before a tap. */
import type { CallName } from '#lib/contract/calls.ts'
import type { Answer } from '#lib/contract/types.ts'
import { CallError } from './failure.ts'
import type { Input } from './http.ts'
import { loadChunk } from './loadChunk.ts'

/** Makes a call of the contract and answers its data; throws CallError. */
export async function call<K extends CallName>(name: K, input: Input<K> = {}): Promise<Answer<K>> {
  // Said before anything is sent, so that it is true: nothing has happened.
  if (globalThis.navigator?.onLine === false) throw new CallError('offline')
  const http = await loadChunk(() => import('./http.ts')).catch((cause: unknown) => {
    throw new CallError(undefined, { cause })
  })
  return http.callNow(name, input)
}

/** Loads the HTTP client early: what is being typed will soon be sent. */
export function warmUp(): void {
  loadChunk(() => import('./http.ts')).catch(() => undefined)
}
