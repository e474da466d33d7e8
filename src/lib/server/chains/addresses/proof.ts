/**
 * The signer signs every address that it derives (Ed25519). The signature is checked before an address is shown to a customer, and before
 * a payment to it is booked. So somebody who can only write to the database cannot replace an address by their own.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { chainAddresses } from '../schema.ts'

type Row = typeof chainAddresses.$inferSelect
export type Derived = Pick<Row, 'chain' | 'purpose' | 'position' | 'address' | 'accountId' | 'publicKey'>

/** The fixed DER prefixes of an Ed25519 key, before its 32 bytes (RFC 8410). */
const PRIVATE_DER = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_DER = Buffer.from('302a300506032b6570032100', 'hex')
const KEY_BYTES = 32

function signedText({ chain, purpose, position, address, accountId, publicKey }: Derived): Buffer {
  return Buffer.from(JSON.stringify([chain, purpose, position, address, accountId, publicKey]))
}

/** From 32 secret bytes. */
export function signingKey(secret: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PRIVATE_DER, secret.subarray(0, KEY_BYTES)]), format: 'der', type: 'pkcs8' })
}

/** The public key: 32 bytes in hexadecimal. */
export function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_DER.length).toString('hex')
}

export function signAddress(key: KeyObject, derived: Derived): string {
  return sign(null, signedText(derived), key).toString('base64url')
}

/** Cache of checked signatures: the same addresses are shown again and again. */
const checked = new Map<string, boolean>()
const MOST_CHECKED = 20_000

/** `publicKey`: the signer's, in the format of `publicKeyOf`. */
export function isProven(publicKey: string, row: Row): boolean {
  const text = signedText(row)
  const known = `${publicKey} ${row.signature} ${text}`
  const before = checked.get(known)
  if (before !== undefined) return before
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_DER, Buffer.from(publicKey, 'hex')]), format: 'der', type: 'spki' })
  const isRight = verify(null, text, key, Buffer.from(row.signature, 'base64url'))
  if (checked.size >= MOST_CHECKED) checked.clear()
  checked.set(known, isRight)
  return isRight
}
