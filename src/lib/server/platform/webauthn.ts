/** Passkeys (WebAuthn): what customers and staff have in common. Every error of the library is the caller's `refuse`. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

/** Where the browser is: passkeys are bound to it. */
export type Site = { origin: string; rpId: string }

/** EdDSA, ES256, RS256: the algorithms that authenticators use. */
const ALGORITHMS = [-8, -7, -257]

export type NewKey = { id: string; publicKey: string; counter: number; transports: string[]; isSynced: boolean }
export type KnownKey = { id: string; publicKey: string; counter: number }

/** Loaded on first use, because it would slow down every start. */
export const webauthn = () => import('@simplewebauthn/server')

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** The browser says how the key is reached: only words that are known are kept. */
function knownTransports(said: unknown): string[] {
  return Array.isArray(said) ? TRANSPORTS.filter((known) => said.includes(known)) : []
}

/** The challenge that an answer contains; empty if it contains none. */
export function challengeOf(answer: { response: { clientDataJSON: string } }): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(answer.response.clientDataJSON, 'base64url').toString('utf8'))
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/** The options for making a new passkey in the browser. `existing`: ids of the keys that the person has. */
export async function newKeyOptions(
  site: Site,
  { rpName, userId, userName, existing }: { rpName: string; userId: string; userName: string; existing: string[] }
) {
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName,
    rpID: site.rpId,
    userName,
    userID: new TextEncoder().encode(userId),
    attestationType: 'none',
    excludeCredentials: existing.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS
  })
}

/** The new passkey of an answer; undefined if the answer is not valid for this challenge and site. */
export async function readNewKey(
  answer: RegistrationResponseJSON,
  expectedChallenge: string,
  site: Site
): Promise<NewKey | undefined> {
  try {
    if (!(await hasPlainAttestation(answer))) return undefined
    const { verifyRegistrationResponse } = await webauthn()
    const { registrationInfo } = await verifyRegistrationResponse({
      response: answer,
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS
    })
    if (!registrationInfo) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    return {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: knownTransports(credential.transports),
      isSynced: credentialBackedUp
    }
  } catch {
    return undefined
  }
}

/** True only for attestation without certificates (`none`, or `packed` without them): checking one would fetch addresses that the caller chooses. */
async function hasPlainAttestation(answer: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(answer.response.attestationObject, 'base64url')))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

/** The key's new counter, if this key answered this challenge on this site, with its user verified; otherwise undefined. */
export async function counterAfter(
  answer: AuthenticationResponseJSON,
  expectedChallenge: string,
  site: Site,
  { id, publicKey, counter }: KnownKey
): Promise<number | undefined> {
  try {
    const { verifyAuthenticationResponse } = await webauthn()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter }
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}
