/**
 * The signer signs every address that it derives (Ed25519). The signature is checked before an address is shown to a customer, and before
 * a payment to it is booked. So somebody who can only write to the database cannot replace an address by their own.
 */
import type { KeyObject } from 'node:crypto'
import { isSignedBy, signText } from '../../platform/ed25519.ts'
import type { chainAddresses } from '../schema.ts'

type Row = typeof chainAddresses.$inferSelect
export type Derived = Pick<Row, 'chain' | 'purpose' | 'position' | 'address' | 'accountId' | 'publicKey'>

function signedText({ chain, purpose, position, address, accountId, publicKey }: Derived): Buffer {
  return Buffer.from(JSON.stringify([chain, purpose, position, address, accountId, publicKey]))
}

export function signAddress(key: KeyObject, derived: Derived): string {
  return signText(key, signedText(derived))
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
  const isRight = isSignedBy(publicKey, text, row.signature)
  // The oldest goes: all of them at once would have to be checked again.
  if (checked.size >= MOST_CHECKED) checked.delete(checked.keys().next().value ?? '')
  checked.set(known, isRight)
  return isRight
}
