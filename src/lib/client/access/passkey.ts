/** What the browser's passkeys are asked, and when they can't be. The library is loaded with the first question. */
import { loadChunk } from '../platform/loadChunk.ts'

export function canUsePasskeys(): boolean {
  return typeof window !== 'undefined' && typeof window.PublicKeyCredential === 'function'
}

type Json = Record<string, unknown>
type Ask = (options: Json) => Promise<Json>

/** The customer closed the browser's question, or it took too long: nothing went wrong, nothing is to be said. */
export class PasskeyDeclinedError extends Error {
  override name = 'PasskeyDeclinedError'
}

async function asking(ask: () => Promise<unknown>): Promise<Json> {
  try {
    return (await ask()) as Json
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyDeclinedError(undefined, { cause })
    throw cause
  }
}

/** Both throw PasskeyDeclinedError, or what the browser says. `options` come from the API as they are. */
export const createPasskey: Ask = (options) =>
  asking(async () => {
    const { startRegistration } = await loadChunk(() => import('@simplewebauthn/browser'))
    return startRegistration({ optionsJSON: options as never })
  })

export const askPasskey: Ask = (options) =>
  asking(async () => {
    const { startAuthentication } = await loadChunk(() => import('@simplewebauthn/browser'))
    return startAuthentication({ optionsJSON: options as never })
  })
