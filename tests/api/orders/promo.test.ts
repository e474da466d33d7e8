import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let customer: Customer
beforeAll(async () => {
  test = await createTestApp({ env: { LIMIT_SCALE: '1' } })
  customer = await test.signUp()
})
afterAll(() => test.close())

const check = (code: string) => test.send('POST', '/orders/promo', { token: customer.token, body: { code } })

describe('a promo code', () => {
  it.each(['', '   '])('that is empty is asked for: "%s"', async (code) => {
    expect(await check(code)).toMatchObject({ status: 422, body: { fields: { code: 'promo_required' } } })
  })

  it('does not exist, whatever it is, while none is configured', async () => {
    expect(await check('ANNIVERSARY')).toMatchObject({
      status: 400,
      body: { code: 'promo_invalid', message: 'Promo code is not exist' }
    })
  })

  it('is not guessed: fifteen tries in ten minutes', async () => {
    const statuses: number[] = []
    for (let tries = 0; tries < 16; tries += 1) statuses.push((await check(`CODE${tries}`)).status)
    expect(statuses.at(-1)).toBe(429)
  })
})
