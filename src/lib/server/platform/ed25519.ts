/** Ed25519 keys as 32 bytes, the form in which our settings and tables keep them. Source: RFC 8410. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** The fixed DER prefixes of a key, before its 32 bytes. */
const PRIVATE_DER = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_DER = Buffer.from('302a300506032b6570032100', 'hex')
const KEY_BYTES = 32

/** From 32 secret bytes. */
export function signingKey(secret: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PRIVATE_DER, secret.subarray(0, KEY_BYTES)]), format: 'der', type: 'pkcs8' })
}

/** From the text of a PEM file, e.g. of `openssl genpkey -algorithm ed25519`. Throws if it is no Ed25519 private key. */
export function signingKeyOfPem(pem: string): KeyObject {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`The key is one of ${key.asymmetricKeyType}, not of Ed25519`)
  return key
}

/** The public key of a private one: 64 hexadecimal digits. */
export function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_DER.length).toString('hex')
}

/** The signature as base64url text. */
export function signText(key: KeyObject, text: Buffer): string {
  return sign(null, text, key).toString('base64url')
}

/** What signs as an operator. A key in a file today; a passkey signs the same texts. */
export type PrivateKey = { publicKey: string; sign: (text: Buffer) => string }
/** An operator's public key: 64 hexadecimal digits. */
export type OperatorKey = { name: string; publicKey: string }

export function privateKey(key: KeyObject): PrivateKey {
  return { publicKey: publicKeyOf(key), sign: (text) => signText(key, text) }
}

/** The operator of the list who made one of these signatures of the text; undefined if none did. */
export function operatorAmong(keys: OperatorKey[], text: Buffer, signatures: (string | null)[]): OperatorKey | undefined {
  return keys.find(({ publicKey }) => signatures.some((one) => one !== null && isSignedBy(publicKey, text, one)))
}

/** `publicKey`: 64 hexadecimal digits. */
export function isSignedBy(publicKey: string, text: Buffer, signature: string): boolean {
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_DER, Buffer.from(publicKey, 'hex')]), format: 'der', type: 'spki' })
  return verify(null, text, key, Buffer.from(signature, 'base64url'))
}
