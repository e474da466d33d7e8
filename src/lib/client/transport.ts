/** What the client sends requests with: the browser's own fetch, or the API in memory where a test says so. */
let transport: typeof fetch = (...args) => fetch(...args)

export const send: typeof fetch = (...args) => transport(...args)

export function replaceTransport(other: typeof fetch): void {
  transport = other
}
