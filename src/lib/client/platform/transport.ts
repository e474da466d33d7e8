/** The client's fetch function: the browser's own, or in tests the API in memory. */
let transport: typeof fetch = (...args) => fetch(...args)

export const send: typeof fetch = (...args) => transport(...args)

export function replaceTransport(other: typeof fetch): void {
  transport = other
}

/** The URL of a call: absolute, because `Request` requires that outside a browser. */
export function apiUrl(path: string): URL {
  return new URL(`/v1${path}`, location.origin)
}
