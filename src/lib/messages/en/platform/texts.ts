/** The texts that any screen may show. Source: spec sections 2, 4 and 8. */

export const texts = {
  somethingWrong: 'Something went wrong',
  offline: 'You’re offline. Nothing was changed.',
  unreachable: 'We could not reach the server. Check your connection and try again.',
  sessionEnded: 'Your session has ended. Please sign in again.',
  canSignIn: 'You can sign in now'
} as const

/** `Failed to load order: …` */
export function loadFailed(what: string, message: string): string {
  return `Failed to load ${what}: ${message}`
}
