import { loadChunk } from './loadChunk.ts'

/** Loads the HTTP client early, while the customer is still typing. */
export function warmUp(): void {
  loadChunk(() => import('./http.ts')).catch(() => undefined)
}
