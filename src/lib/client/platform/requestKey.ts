/** Idempotency keys: an unchanged request keeps its key until it succeeds, even after a reload. */
export function requestKeys(storageName: string) {
  return {
    keyOf: (request: object): string => {
      const text = JSON.stringify(request)
      const kept = sessionStorage.getItem(storageName)
      const [known, key] = kept ? (JSON.parse(kept) as [string, string]) : []
      if (known === text && key) return key
      const made = crypto.randomUUID()
      sessionStorage.setItem(storageName, JSON.stringify([text, made]))
      return made
    },
    /** Call on success: the next request gets a new key, even if it is the same. */
    done: () => sessionStorage.removeItem(storageName)
  }
}
