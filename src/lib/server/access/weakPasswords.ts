/** Passwords that anybody would guess: known from breaches, the product's name, or the customer's own address. */

import { PASSWORD_MIN_LENGTH } from '#lib/domain/access/credentials.ts'
import { BRAND } from '#lib/domain/brand.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { onceMade } from '../platform/onceMade.ts'

/** A shorter part of an address may stand in a password by chance. */
const SHORTEST_PART = 4
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** About 18,000 passwords of eight or more characters, the most frequent of published breaches. */
const knownPasswords = onceMade(async () => {
  const { default: list } = await import('@zxcvbn-ts/language-common/src/passwords.json', { with: { type: 'json' } })
  return new Set((list as string[]).filter((one) => one.length >= PASSWORD_MIN_LENGTH))
})

export async function isGuessable(password: string, email: string): Promise<boolean> {
  // Full-width letters are the same letters.
  const typed = password.normalize('NFKC').toLowerCase()
  if ((await knownPasswords()).has(typed)) return true
  const ownParts = [plain(BRAND.name), plain(email), plain(email.split('@')[0] ?? '')].filter(
    ({ length }) => length >= SHORTEST_PART
  )
  const rest = ownParts.reduce((text, part) => text.replaceAll(part, ''), plain(typed))
  return rest !== plain(typed) && rest.length < PASSWORD_MIN_LENGTH
}

/**
 * Throws `password_guessable`, whether or not the address has an account. The sandbox takes every password, so that testers can
 * type what they like, and says in its log what production would refuse.
 */
export async function refuseGuessable(
  { log }: Pick<Context, 'log'>,
  { password, email, isRefused }: { password: string; email: string; isRefused: boolean }
): Promise<void> {
  if (!(await isGuessable(password, email))) return
  if (isRefused) throw new AppError('password_guessable')
  log.info('production would refuse this password: it is easy to guess')
}
