import { hash, verify } from '@node-rs/argon2'

/** Hashes with argon2id (OWASP's first choice: 19 MiB, 2 passes). */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
}

/** A hash that no password matches. */
export const UNUSABLE_PASSWORD = 'none'

let hashOfNobody: Promise<string> | undefined

/** Takes the same time without an account, so that the time does not reveal who has one. */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  hashOfNobody ??= hashPassword('the password of nobody')
  const usable = passwordHash === UNUSABLE_PASSWORD ? undefined : passwordHash
  const matches = await verify(usable ?? (await hashOfNobody), password)
  return matches && usable !== undefined
}
