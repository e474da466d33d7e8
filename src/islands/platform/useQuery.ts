import { useCallback, useRef, useSyncExternalStore } from 'react'

type QueryStore<T> = { value: { data?: T } | undefined; listen: (listener: () => void) => () => void }

/**
 * Returns the data of a query store, or its last data while a new answer is loading or fails; at first the data that came
 * with the page. So figures never go back to older ones. On the server it never reads the store: that would start a fetch,
 * and there all customers share the store.
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
