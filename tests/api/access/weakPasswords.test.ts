/** Passwords that anybody would guess. The sandbox takes them; production refuses them. */
import { describe, expect, it } from 'vitest'
import { isGuessable, refuseGuessable } from '#lib/server/access/weakPasswords.ts'

const EMAIL = 'ada.lovelace@example.com'

describe('a password that anybody would guess', () => {
  it.each(['password', 'Password1', '12345678', 'qwertyuiop', 'baseball', 'ｐａｓｓｗｏｒｄ１'])(
    'refuses what breaches made known: %s',
    async (password) => {
      expect(await isGuessable(password, EMAIL)).toBe(true)
    }
  )

  it.each(['cpwallet1', 'CP Wallet 2026!', 'ada.lovelace', 'Ada-Lovelace-99', 'ada.lovelace@example.com'])(
    'refuses the product’s name and the customer’s own address: %s',
    async (password) => {
      expect(await isGuessable(password, EMAIL)).toBe(true)
    }
  )

  it.each(['correct horse battery', 'cpwallet and many other words', 'Vx9!kq2#Lm', 'ada.lovelace likes long sentences'])(
    'takes any other: %s',
    async (password) => {
      expect(await isGuessable(password, EMAIL)).toBe(false)
    }
  )

  it('is refused in production, and told in the log of the sandbox', async () => {
    const said: unknown[] = []
    const log = { info: (text: unknown) => said.push(text) } as never
    const asked = { password: 'password', email: EMAIL }
    await expect(refuseGuessable({ log }, { ...asked, isRefused: true })).rejects.toMatchObject({ code: 'password_guessable' })
    await refuseGuessable({ log }, { ...asked, isRefused: false })
    expect(said).toEqual(['production would refuse this password: it is easy to guess'])
  })
})
