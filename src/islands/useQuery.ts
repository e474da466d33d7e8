import { useCallback, useSyncExternalStore } from 'react'

type QueryStore<T> = { value: { data?: T } | undefined; listen: (listener: () => void) => () => void }

/**
 * What a query store holds, or the first data that came with the page while it holds nothing. On the server the store
 * is not even looked at: it would start to fetch, and it serves every customer at once.
 */
export function useQuery<T>(store: QueryStore<T>, first: T): T {
  const subscribe = useCallback((onChange: () => void) => store.listen(onChange), [store])
  return useSyncExternalStore(
    subscribe,
    () => store.value?.data ?? first,
    () => first
  )
}
