import { hash, verify } from '@node-rs/argon2'
import { onceMade } from '../platform/onceMade.ts'

/** Hashes with argon2id (OWASP's first choice: 19 MiB, 2 passes). */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
}

/** A hash that no password matches. */
export const UNUSABLE_PASSWORD = 'none'

const hashOfNobody = onceMade(() => hashPassword('the password of nobody'))

/** Takes the same time without an account, so that the time does not reveal who has one. */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  const nobody = await hashOfNobody()
  const usable = passwordHash === UNUSABLE_PASSWORD ? undefined : passwordHash
  const matches = await verify(usable ?? nobody, password)
  return matches && usable !== undefined
}
