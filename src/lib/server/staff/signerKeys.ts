/**
 * The passkeys whose approvals the signer accepts: a file of its own, which no row of the database can change. A JSON list, an entry a key:
 * `person`, `key` (the credential's id), `publicKey` (COSE), both base64url, and `origin`, the desk's exact address.
 */
import { readFileSync } from 'node:fs'
import type { Once } from '#lib/domain/staff/challenge.ts'
import { counterAfter } from '../platform/webauthn.ts'
import type { PasskeyAnswer } from './schema.ts'

/** `person`: the same for all keys of a person, those in files included; their e-mail. */
export type ListedKey = { person: string; key: string; publicKey: string; origin: string }

/** An e-mail, in letters that cannot be mistaken for others. */
export const PERSON = /^[\w.+-]{1,60}@[\w.-]{1,60}$/
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Throws an Error that says what is wrong with the text. */
export function parseStaffKeys(text: string): ListedKey[] {
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) throw new Error('it is no list')
  const keys = list.map((entry, at) => {
    const { person, key, publicKey, origin } = (entry ?? {}) as Record<string, unknown>
    if (
      ![person, key, publicKey, origin].every(isText) ||
      !URL.canParse(String(origin)) ||
      new URL(String(origin)).origin !== origin
    )
      throw new Error(`entry ${at + 1} needs person, key, publicKey and origin`)
    if (!PERSON.test(String(person))) throw new Error(`entry ${at + 1} must name the person by their e-mail`)
    return { person: String(person).toLowerCase(), key: String(key), publicKey: String(publicKey), origin: String(origin) }
  })
  // One key of two persons would be two approvals by one.
  for (const name of ['key', 'publicKey'] as const)
    if (new Set(keys.map((one) => one[name])).size < keys.length) throw new Error(`the same ${name} stands there twice`)
  return keys
}

/** Read with every batch, so that a key that is taken out counts no more at once. Throws if the file is not right: then nobody has approved. */
export const staffKeysOfFile = (file: string) => async (): Promise<ListedKey[]> => parseStaffKeys(readFileSync(file, 'utf8'))

/** An answer is valid for a day; the clocks of the desk and the chain may differ by some hours. */
const LONGEST_MS = 30n * 3_600_000n

/**
 * The person of the list who signed this, by a key of theirs; undefined if there is none. `at`: the later of the chain's time and ours, by which
 * an answer expires. `challengeOf`: what had to be signed, made anew.
 */
export async function personOfAnswer(
  { keys, at }: { keys: ListedKey[]; at: Date },
  answer: PasskeyAnswer,
  challengeOf: (once: Once) => Uint8Array
): Promise<string | undefined> {
  const { expires, nonce } = answer
  if (!/^\d{1,12}$/.test(String(expires))) return undefined
  const left = BigInt(expires) * 1000n - BigInt(at.getTime())
  if (left < 0n || left > LONGEST_MS) return undefined
  return personOfKey(keys, challengeOf({ expires: BigInt(expires), nonce: String(nonce) }), answer)
}

async function personOfKey(
  keys: ListedKey[],
  challenge: Uint8Array,
  { key, clientData, authenticatorData, signature }: PasskeyAnswer
): Promise<string | undefined> {
  const listed = keys.find((one) => one.key === key)
  if (!listed) return undefined
  const { origin, publicKey, person } = listed
  const answer = {
    id: key,
    rawId: key,
    type: 'public-key' as const,
    clientExtensionResults: {},
    response: { clientDataJSON: clientData, authenticatorData, signature }
  }
  const site = { origin, rpId: new URL(origin).hostname }
  // Synced passkeys count nothing: the counter is not compared.
  const counter = await counterAfter(answer, Buffer.from(challenge).toString('base64url'), site, {
    id: key,
    publicKey,
    counter: 0
  })
  return counter === undefined ? undefined : person
}
