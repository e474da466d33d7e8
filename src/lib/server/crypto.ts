/** Keys, hashes and random values. One secret; a key of its own for each purpose. */
import { createHash, createHmac, hkdfSync, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { CODE_LENGTH } from '../domain/account.ts'

export type Keys = { accessToken: Uint8Array; code: Uint8Array; refresh: Uint8Array }

const KEY_BYTES = 32

export function deriveKeys(secret: string): Keys {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES))
  return { accessToken: derive('access-token'), code: derive('code'), refresh: derive('refresh-token') }
}

/** An unguessable text of 256 bits. */
export function randomToken(): string {
  return randomBytes(KEY_BYTES).toString('base64url')
}

/** No I, L, O, U: nothing that reads like something else. */
const READABLE = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function randomOf(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(0, alphabet.length)]).join('')
}

export function randomDigits(length: number): string {
  return randomOf('0123456789', length)
}

export function randomCode(): string {
  return randomDigits(CODE_LENGTH)
}

/** Random characters that can't be mistaken for one another. */
export function randomReadable(length: number): string {
  return randomOf(READABLE, length)
}

/** For values that are themselves random: a token is kept as this. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** For values that could be guessed, such as codes, and for deriving one token of another. */
export function keyedHash(key: Uint8Array, ...parts: string[]): string {
  return createHmac('sha256', key).update(parts.join('\n')).digest('base64url')
}

export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
