/** Keys, hashes and random values. All keys are derived from one secret, one for each purpose. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual
} from 'node:crypto'

const KEY_BYTES = 32

/** Returns the key for a purpose, e.g. `code`, and derives it once. */
function keyRing(secret: string): (purpose: string) => Uint8Array {
  const derived = new Map<string, Uint8Array>()
  return (purpose) => {
    const known = derived.get(purpose) ?? new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES))
    derived.set(purpose, known)
    return known
  }
}

/** The keys of a context: `also` is a second secret whose keys are accepted, but make nothing. */
export function keysOf(secret: string, also?: string) {
  const keyFor = keyRing(secret)
  const rings = also === undefined ? [keyFor] : [keyFor, keyRing(also)]
  return { keyFor, keysFor: (purpose: string) => rings.map((ring) => ring(purpose)) }
}

/** A random token of 256 bits. */
export function randomToken(): string {
  return randomBytes(KEY_BYTES).toString('base64url')
}

/** Without I, L, O and U, which can be mistaken for other characters. */
const READABLE = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function randomOf(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(0, alphabet.length)]).join('')
}

export function randomDigits(length: number): string {
  return randomOf('0123456789', length)
}

/** Random characters that cannot be mistaken for one another. */
export function randomReadable(length: number): string {
  return randomOf(READABLE, length)
}

/** For values that are random themselves: tokens are stored as this hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** For values that can be guessed, such as codes, and for deriving one token from another. */
export function keyedHash(key: Uint8Array, ...parts: string[]): string {
  return createHmac('sha256', key).update(parts.join('\n')).digest('base64url')
}

/** True if one of the keys makes this hash of the parts. */
export function isHashedBy(keys: Uint8Array[], hash: string, ...parts: string[]): boolean {
  return keys.some((key) => sameText(hash, keyedHash(key, ...parts)))
}

export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts a text (AES-256-GCM), so that nobody can read it in the database without the key. */
export function seal(key: Uint8Array, text: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/** Decrypts a text of `seal`; throws if it was changed or sealed with another key. */
function unseal(key: Uint8Array, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}

/** The same with the first key that opens it; `isOld`: it was not the present one. */
export function unsealWithAny([present, ...others]: Uint8Array[], sealed: string): { text: string; isOld: boolean } {
  if (!present) throw new Error('There is no key')
  try {
    return { text: unseal(present, sealed), isOld: false }
  } catch (error) {
    if (others.length === 0) throw error
    return { text: unsealWithAny(others, sealed).text, isOld: true }
  }
}
