/** P2P in browser journeys: customers who can trade, and the sandbox's trader. */
import type { APIRequestContext } from '@playwright/test'
import { expect, type Journey } from './journey.ts'
import { outside } from './outside.ts'
import { postJson } from './visitor.ts'

const COIN = 10n ** 8n

/** Sends a form of the sandbox page; the redirect shows that it succeeded. */
async function sandbox(request: APIRequestContext, baseUrl: string, form: Record<string, string>): Promise<void> {
  const answer = await request.post('/sandbox', { form, headers: { origin: baseUrl }, maxRedirects: 0 })
  expect(answer.headers().location).toMatch(/^\/sandbox#/)
}

/** Deposits below EUR 1,000 together, so that the customer is not asked for the sender. The CPC end in funding, the USDC in spot. */
export async function giveFunds(
  { page, baseUrl }: Pick<Journey, 'page' | 'baseUrl'>,
  { email, token }: { email: string; token: string },
  { coins = 5000n, dollars = 700n } = {}
): Promise<void> {
  const { request } = page
  for (const [currency, chain, amount] of [
    ['CPC', 'cpc', coins],
    ['USDC', 'ethereum', dollars]
  ] as const) {
    if (amount === 0n) continue
    await sandbox(request, baseUrl, { deposit: 'send', email, currency, amount: String(amount) })
    await sandbox(request, baseUrl, { chain, act: 'many' })
  }
  const moved = await postJson(
    baseUrl,
    '/users/balance/transfer-from-spot-to-funding',
    { currency: 'CPC', amount: String(coins * COIN) },
    token
  )
  expect(moved.status).toBe(200)
}

export const tokenOf = ({ page }: Pick<Journey, 'page'>): Promise<string> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('auth-storage') ?? '{}').token)

/** Enters the promo code, which opens the bonus packages. */
export async function enterPromoCode({ baseUrl }: Pick<Journey, 'baseUrl'>, token: string): Promise<void> {
  expect((await postJson(baseUrl, '/orders/promo', { code: 'ANNIVERSARY' }, token)).status).toBe(200)
}

/** A new customer who can trade, at the dashboard. */
export async function signUpTrader(journey: Journey, funds: { coins?: bigint; dollars?: bigint } = {}): Promise<string> {
  const email = await journey.signUp()
  await giveFunds(journey, { email, token: await tokenOf(journey) }, funds)
  return email
}

/** The sandbox's trader lists an order. */
export const sellToMe = (journey: Journey, amount: string, price: string) =>
  outside(journey, async (tab) => {
    const form = tab.locator('form', { has: tab.getByRole('button', { name: 'Sell to everybody' }) })
    await form.getByLabel('CPC for sale').fill(amount)
    await form.getByLabel('Price in USDC').fill(price)
    await form.getByRole('button', { name: 'Sell to everybody' }).click()
    await tab.waitForURL('**/sandbox#p2p')
  })

/** The sandbox's trader buys all of the customer's oldest order. */
export const buyFromMe = (journey: Journey, email: string) =>
  outside(journey, async (tab) => {
    const form = tab.locator('form', { has: tab.getByRole('button', { name: 'Buy from them' }) })
    await form.getByLabel('E-mail of the seller').fill(email)
    await form.getByRole('button', { name: 'Buy from them' }).click()
    await tab.waitForURL('**/sandbox#p2p')
  })
