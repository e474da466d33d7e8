import { useCallback, useRef, useSyncExternalStore } from 'react'

type QueryStore<T> = { value: { data?: T } | undefined; listen: (listener: () => void) => () => void }

/**
 * What a query store holds, or the last that it held: first the data that came with the page. While a new answer is on
 * its way, or cannot be had, nobody sees older figures than before. On the server the store is not even looked at: it
 * would start to fetch, and it serves every customer at once.
 */
export function useQuery<T>(store: QueryStore<T>, first: T): T {
  const last = useRef(first)
  const subscribe = useCallback((onChange: () => void) => store.listen(onChange), [store])
  const read = () => {
    last.current = store.value?.data ?? last.current
    return last.current
  }
  return useSyncExternalStore(subscribe, read, () => first)
}
