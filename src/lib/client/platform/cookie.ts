const YEAR_SECONDS = 31_536_000

/** Keeps a preference in a cookie, so that the server can read it. An empty value deletes the cookie. */
export function keepCookie(name: string, value: string): void {
  // Not every browser has the Cookie Store API.
  // biome-ignore lint/suspicious/noDocumentCookie: see above
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${value === '' ? 0 : YEAR_SECONDS}; samesite=lax`
}

/**
 * Stores the device's time zone in a cookie, for the dates of the next pages. Tries Temporal first: the first formatter of a
 * page loads the browser's language data, which blocks a phone for more than 100 ms. Not every browser has Temporal.
 */
export function keepTimeZone(): void {
  keepCookie('zone', globalThis.Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone)
}
