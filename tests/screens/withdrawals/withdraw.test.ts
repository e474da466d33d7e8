import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startSession } from '#lib/client/platform/session.ts'
import { figuresOf, type WithdrawFacts } from '#lib/client/withdrawals/figures.ts'
import { createWithdraw } from '#lib/client/withdrawals/withdraw.ts'
import { createScreenTest, type ScreenTest } from '#support/screens.ts'

let test: ScreenTest
beforeAll(async () => {
  test = await createScreenTest()
})
afterAll(() => test.close())

it('refused for details that the page did not ask for: it asks for them, with the reason at the field', async () => {
  const customer = await test.customer()
  startSession(customer)
  const facts: WithdrawFacts = {
    currency: 'ETH',
    spot: 10n ** 18n,
    funding: 0n,
    price: '3000',
    eurPerUsd: '0.9',
    rules: await test.ask(customer, 'getWithdrawalRules'),
    addresses: [],
    verifiedName: null,
    amount: ''
  }
  const screen = createWithdraw(facts)
  screen.type('address', '0x52908400098527886E0F7030069857D2E4169EE7')
  screen.type('amount', '0.1')
  await screen.submit()
  expect(screen.state.get(), JSON.stringify(screen.state.get().errors)).toMatchObject({ isConfirming: true })
  expect(figuresOf(facts, '0.1').needsDetails).toBe(false)
  const refusal = {
    statusCode: 400,
    code: 'validation_failed',
    message: 'Please check the fields.',
    fields: { details: 'details_required' }
  }
  vi.spyOn(test.app.api, 'fetch').mockImplementationOnce(async () => Response.json(refusal, { status: 400 }))
  await screen.confirm((action) => action())
  expect(screen.state.get()).toMatchObject({ isConfirming: false, errors: { name: expect.any(String) } })
  expect(figuresOf(facts, '0.1').needsDetails).toBe(true)
})
