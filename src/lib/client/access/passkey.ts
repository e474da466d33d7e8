/** Asks the browser for passkeys and recognizes a refusal. The library is loaded on the first call. */
import { loadChunk } from '../platform/loadChunk.ts'

export function canUsePasskeys(): boolean {
  return typeof window !== 'undefined' && typeof window.PublicKeyCredential === 'function'
}

type Json = Record<string, unknown>
type Ask = (options: Json) => Promise<Json>

/** The customer closed the browser's dialog, or it timed out: this is not an error and needs no message. */
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

/** Both throw PasskeyDeclinedError or the browser's own error. `options` come unchanged from the API. */
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
