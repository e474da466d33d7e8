const YEAR_SECONDS = 31_536_000

/** Keeps a choice of this browser where the server reads it. An empty value forgets it. */
export function keepCookie(name: string, value: string): void {
  // Not every browser has the Cookie Store API.
  // biome-ignore lint/suspicious/noDocumentCookie: see above
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${value === '' ? 0 : YEAR_SECONDS}; samesite=lax`
}

/** Tells the server the time zone of this device, for the dates of the next pages. */
export function keepTimeZone(): void {
  keepCookie('zone', new Intl.DateTimeFormat().resolvedOptions().timeZone)
}
