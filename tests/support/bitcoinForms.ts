/** Spellings of Bitcoin addresses. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, createBase58check } from '@scure/base'

const REGTEST_KEY_HASH = 111

/** The older spelling of a regtest address (P2PKH): the hash of the same key. */
export function olderForm(address: string): string {
  const hash = bech32.fromWords(bech32.decode(address as `${string}1${string}`).words.slice(1))
  return createBase58check(sha256).encode(Uint8Array.from([REGTEST_KEY_HASH, ...hash]))
}
