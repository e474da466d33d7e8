/**
 * Signatures of Contentful's webhooks. Source: its guide to request verification. The signed text has one line each for the method, the
 * path with query, the headers that `x-contentful-signed-headers` names (sorted, `name:value`, joined by `;`) and the body; HMAC-SHA256
 * in hexadecimal. `x-contentful-timestamp` is in milliseconds and is always one of the signed headers.
 */
import { createHmac } from 'node:crypto'
import { sameText } from '../../../platform/crypto.ts'
import { NewsSignatureError } from '../../port.ts'

const SIGNATURE = 'x-contentful-signature'
const SIGNED_HEADERS = 'x-contentful-signed-headers'
const TIMESTAMP = 'x-contentful-timestamp'
export const TOPIC = 'x-contentful-topic'

/** Clocks differ, and deliveries may be late: a timestamp that is this far from now, in either direction, is accepted. */
const WINDOW_MS = 5 * 60_000

/** Headers by lower-case name. */
type Signed = { method: string; path: string; body: string; headers: Record<string, string> }

/**
 * The names of the signed headers, sorted: those that the delivery names and has, and always the two with the list of names and the time.
 */
function signedNames(headers: Record<string, string>, named: string[]): string[] {
  const present = named.map((name) => name.trim().toLowerCase()).filter((name) => headers[name] !== undefined)
  return [...new Set([...present, SIGNED_HEADERS, TIMESTAMP])].sort()
}

function digest(secret: string, { method, path, body, headers }: Signed, names: string[]): string {
  const lines = names.map((name) => `${name}:${(headers[name] ?? '').trim()}`).join(';')
  return createHmac('sha256', secret)
    .update([method, encodeURI(path), lines, body].join('\n'))
    .digest('hex')
}

/** The headers of a signed delivery. */
export function signDelivery(secret: string, delivery: Signed, at: Date): Record<string, string> {
  const names = signedNames(delivery.headers, Object.keys(delivery.headers))
  const headers = { ...delivery.headers, [SIGNED_HEADERS]: names.join(','), [TIMESTAMP]: String(at.getTime()) }
  return { ...headers, [SIGNATURE]: digest(secret, { ...delivery, headers }, names) }
}

/** Returns the signature of a delivery that is genuine and recent; throws NewsSignatureError for any other. */
export function verifyDelivery(secret: string, delivery: Signed, now: Date): string {
  const { headers } = delivery
  const given = (headers[SIGNATURE] ?? '').toLowerCase()
  const sentAt = Number(headers[TIMESTAMP] ?? Number.NaN)
  const isRecent = Math.abs(now.getTime() - sentAt) <= WINDOW_MS
  const names = signedNames(headers, (headers[SIGNED_HEADERS] ?? '').split(','))
  if (!isRecent || !sameText(digest(secret, delivery, names), given)) throw new NewsSignatureError()
  return given
}
