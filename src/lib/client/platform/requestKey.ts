/** The key under which a request counts once: the same for the same request until it has succeeded, also after a reload. */
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
    /** It has succeeded: the same request is another one from now on. */
    done: () => sessionStorage.removeItem(storageName)
  }
}
