/** What the client sends requests with: the browser's own fetch, or the API in memory where a test says so. */
let transport: typeof fetch = (...args) => fetch(...args)

export const send: typeof fetch = (...args) => transport(...args)

export function replaceTransport(other: typeof fetch): void {
  transport = other
}

/** The address of a call: absolute, as `Request` wants it outside a browser. */
export function apiUrl(path: string): URL {
  return new URL(`/v1${path}`, location.origin)
}
