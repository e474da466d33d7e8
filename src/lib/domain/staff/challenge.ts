/** What a passkey signs where the signer checks the signature, too. */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** `expires`: in seconds since 1970; the signature counts until then. `nonce`: random, so that no two questions ask for the same signature. */
export type Once = { expires: bigint; nonce: string }

/** SHA-256 over the parts, each with its length in bytes before it, so that no two lists of parts have the same text. */
export function challengeOfParts(parts: string[], { expires, nonce }: Once): Uint8Array<ArrayBuffer> {
  const all = [...parts, `${expires}`, nonce]
  return new Uint8Array(sha256(utf8ToBytes(all.map((part) => `${utf8ToBytes(part).length}:${part}`).join(''))))
}
