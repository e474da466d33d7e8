/** Cached data of the API: fresh for 5 minutes; fetched again on focus, on reconnect and every 30 minutes (spec section 9). */
import { nanoquery } from '@nanostores/query'
import type { CallName } from '#lib/contract/calls.ts'
import type { Answer } from '#lib/contract/types.ts'
import { call } from './call.ts'
import type { Input } from './http.ts'

const MINUTE_MS = 60_000
const RETRIES = 3
const cache = new Map<string, { data?: unknown; created?: number; expires?: number }>()

const [createFetcherStore, , { revalidateKeys }] = nanoquery({
  cache,
  dedupeTime: 5 * MINUTE_MS,
  cacheLifetime: 10 * MINUTE_MS,
  revalidateInterval: 30 * MINUTE_MS,
  revalidateOnFocus: true,
  revalidateOnReconnect: true,
  onErrorRetry: ({ retryCount }) => (retryCount <= RETRIES ? 1000 * 2 ** retryCount : undefined)
})

/** A store of a call's answer, cached by the call's name and input. */
export function queryStore<K extends CallName>(name: K, input: Input<K> = {}) {
  const key = queryKey(name, input)
  return createFetcherStore<Answer<K>>(key, { fetcher: () => followed(key, call(name, input)) })
}

/** Running fetches; true: fetch again afterwards, because the library would drop that refresh. */
const running = new Map<string, boolean>()

function followed<T>(key: string, answer: Promise<T>): Promise<T> {
  running.set(key, false)
  return answer.finally(() => {
    const isOld = running.get(key)
    running.delete(key)
    if (isOld) setTimeout(() => revalidateKeys((one) => one === key))
  })
}

/** Data that came with the page counts as just fetched. It is partial: the page contains only the fields that it shows. */
export function seedQuery<K extends CallName>(name: K, data: Partial<Answer<K>>, input: Input<K> = {}): void {
  const now = Date.now()
  if (typeof window !== 'undefined') cache.set(queryKey(name, input), { data, created: now, expires: now + 10 * MINUTE_MS })
}

export function refreshAllQueries(): void {
  revalidateKeys(() => true)
}

/** Fetches again the queries that a change has made stale. */
export function refreshQueries(...names: CallName[]): void {
  const isNamed = (key: string) => names.some((name) => key.startsWith(`${name} `))
  for (const key of running.keys()) if (isNamed(key)) running.set(key, true)
  revalidateKeys(isNamed)
}

function queryKey(name: CallName, input: object): string {
  return `${name} ${JSON.stringify(input)}`
}
