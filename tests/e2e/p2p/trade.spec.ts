import type { Page } from '@playwright/test'
import { expect, test } from '#support/journey.ts'
import { buyFromMe, giveFunds, sellToMe, signUpTrader, tokenOf } from '#support/trading.ts'
import { openSession, postJson, signUpAt } from '#support/visitor.ts'

const COIN = 10n ** 8n

async function askApi(page: Page, path: string) {
  const token = await tokenOf({ page })
  return (await (await page.request.get(`/v1${path}`, { headers: { authorization: `Bearer ${token}` } })).json()).data
}

/** Finds an order's row by its remaining amount; each journey uses its own amounts. */
const rowOf = (page: Page, amount: string) => page.getByRole('row').filter({ hasText: amount })

/** Opens the dialog for selling and fills it in. */
async function offer(page: Page, amount: string, price: string) {
  await page.getByRole('button', { name: 'Sell', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Sell CPC' })
  await dialog.getByLabel('Amount (CPC)').fill(amount)
  await dialog.getByLabel('Price per coin (USDC)').fill(price)
  return dialog
}

test('sell: checked at the fields, warned of a far price, listed, bought from, cancelled', { tag: '@phone' }, async ({
  journey
}) => {
  const { page } = journey
  const email = await signUpTrader(journey)
  await page.goto('/p2p')
  await expect(page.getByRole('heading', { name: 'CPC - Peer to Peer', level: 1 })).toBeVisible()
  await journey.hydrated()
  await page.getByRole('button', { name: 'Sell', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Sell CPC' })
  await dialog.getByRole('button', { name: 'Sell', exact: true }).click()
  await expect(dialog.getByText('Please enter asset amount!')).toBeVisible()
  await expect(dialog.getByText('Please enter price per coin!')).toBeVisible()
  await journey.expectAccessible()
  const [amount, price] = [dialog.getByLabel('Amount (CPC)'), dialog.getByLabel('Price per coin (USDC)')]
  await amount.fill('0')
  await price.fill('0.08')
  const submit = dialog.getByRole('button', { name: /^Sell( |$)/ })
  await submit.click()
  await expect(dialog.getByText('Invalid Amount. Please enter a valid amount greater than zero.')).toBeVisible()
  await expect(dialog.getByText(/more than 50% away from the reference price/)).toBeVisible()
  await amount.fill('9000')
  await price.fill('0.056')
  await expect(dialog.getByText(/^12.0% above the reference \$0.05000./)).toBeVisible()
  await dialog.getByRole('button', { name: 'Sell 9,000 CPC' }).click()
  await expect(dialog.getByText('Insufficient funds in CPC.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Max' }).click()
  await expect(amount).toHaveValue('5,000')
  await amount.fill('1703')
  await price.fill('0.0505')
  await dialog.getByLabel('Minimum purchase (CPC)').fill('100')
  await expect(dialog.getByText('86.0015 USDC')).toBeVisible()
  await expect(dialog.getByText('85.141485 USDC').first()).toBeVisible()
  await journey.expectAccessible()
  await dialog.getByRole('button', { name: 'Sell 1,703 CPC' }).dblclick()
  await page.waitForURL('**/p2p?tab=ongoing')
  await expect(page.getByText('Your order is listed.')).toBeVisible()
  await expect(page.getByText('SELLING', { exact: true })).toBeVisible()
  await expect(page.getByText('1,703 CPC is frozen in your orders.')).toBeVisible()
  await journey.expectAccessible()

  await buyFromMe(journey, email)
  await page.goto('/p2p?tab=history')
  await expect(page.getByText('1,703 CPC at 0.05050')).toBeVisible()
  await expect(page.getByText('SOLD', { exact: true })).toBeVisible()
  await expect(page.getByText('+85.14 USDC')).toBeVisible()
  await expect(page.getByText('Average price: sold 0.05050 USDC.')).toBeVisible()
  await journey.expectAccessible()
  const csv = await (await page.request.get('/p2p/csv')).text()
  expect(csv).toMatch(/,SOLD,[A-Z][a-z]+ \d+,1703\.0+,0\.05050*,86\.0015\d*,0\.860015,/)

  await page.goto('/p2p')
  await journey.hydrated()
  await (await offer(page, '451.5', '0.0508')).getByRole('button', { name: 'Sell 451.5 CPC' }).click()
  await page.waitForURL('**/p2p?tab=ongoing')
  await page.goto('/p2p')
  await expect(rowOf(page, '451.5 CPC').getByText('OWNER')).toBeVisible()
  await expect(rowOf(page, '451.5 CPC').getByRole('button')).toHaveAccessibleName('Cancel your order at 0.05080')
  await journey.expectAccessible()
  await rowOf(page, '451.5 CPC').getByRole('button').click()
  await expect(page.getByText('Order cancelled successfully!')).toBeVisible()
  await expect(rowOf(page, '451.5 CPC')).toHaveCount(0)
  await page.goto('/p2p?tab=history')
  await expect(page.getByText('CANCELLED', { exact: true })).toBeVisible()
  await page.goto('/activity')
  await expect(page.locator('[data-activity]', { hasText: 'CPC' }).first()).toBeVisible()
})

test('two browsers, one of them slow: the order appears and shrinks by itself, and a cancel against a purchase ends one way', {
  tag: '@desktop'
}, async ({ journey, browser }) => {
  const { page, baseUrl } = journey
  await signUpTrader(journey)
  const visitor = await signUpAt(baseUrl)
  const context = await browser.newContext({ baseURL: baseUrl, viewport: page.viewportSize() })
  await openSession(context, baseUrl, visitor)
  const buyer = await context.newPage()
  await giveFunds({ page: buyer, baseUrl }, visitor)
  const cdp = await context.newCDPSession(buyer)
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 300,
    downloadThroughput: 60_000,
    uploadThroughput: 60_000
  })
  await buyer.goto('/p2p')
  await expect(buyer.getByText('Live', { exact: true })).toBeVisible()

  await page.goto('/p2p')
  await journey.hydrated()
  await (await offer(page, '777.25', '0.0502')).getByRole('button', { name: 'Sell 777.25 CPC' }).click()
  await page.waitForURL('**/p2p?tab=ongoing')
  // The open orders of the seller, in a tab that stays as it is.
  const ongoing = await page.context().newPage()
  await ongoing.goto('/p2p?tab=ongoing')
  const shown = (await ongoing.locator('[data-ongoing]').textContent()) ?? ''
  await page.goto('/p2p')
  await expect(rowOf(buyer, '777.25 CPC')).toBeVisible()
  await rowOf(buyer, '777.25 CPC')
    .getByRole('button', { name: /^Buy from/ })
    .click()
  const dialog = buyer.getByRole('dialog', { name: /^Buy CPC from/ })
  await dialog.getByLabel('Amount (CPC)').fill('770')
  await dialog.getByRole('button', { name: 'Buy 770 CPC' }).click()
  await expect(dialog.getByText('What is left must be at least 10 CPC.')).toBeVisible()
  await dialog.getByLabel('Amount (CPC)').fill('250')
  await expect(dialog.getByText('You have 0.00 USDC in funding: 12.55 USDC will come from spot.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Buy 250 CPC' }).dblclick()
  await expect(buyer.getByText('You bought 250 CPC.')).toBeVisible()
  await expect(rowOf(page, '527.25 CPC')).toBeVisible()
  await expect(ongoing.locator('[data-ongoing]'), 'they are live').not.toHaveText(shown)
  await ongoing.close()

  await rowOf(buyer, '527.25 CPC')
    .getByRole('button', { name: /^Buy from/ })
    .click()
  await Promise.all([
    dialog.getByRole('button', { name: 'Buy 527.25 CPC' }).click(),
    rowOf(page, '527.25 CPC').getByRole('button').click()
  ])
  await expect(page.getByText(/Order cancelled successfully!|Failed to cancel order. Please try again./)).toBeVisible()
  await expect(
    buyer
      .getByText(/You bought 527.25 CPC.|This order is no longer open./)
      .filter({ visible: true })
      .first()
  ).toBeVisible()
  const [order] = await askApi(page, '/p2p/user/orders')
  const trades: { asset_amount: string }[] = await askApi(page, '/p2p/user/trades')
  const sold = trades.reduce((sum, { asset_amount }) => sum + BigInt(asset_amount), 0n)
  expect([order.status, sold]).toEqual(
    order.status === 'COMPLETED' ? ['COMPLETED', 77_725_000_000n] : ['CANCELLED', 25_000_000_000n]
  )
  await context.close()
})

test('a lost answer, pressed again after a reload, buys once', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  await signUpTrader(journey)
  await sellToMe(journey, '613.5', '0.0503')
  await page.goto('/p2p')
  journey.expectedErrors.push(/ERR_FAILED|Failed to load resource/)
  let isLost = true
  await page.route('**/v1/p2p/order/*/fill', async (route) => {
    if (!isLost) return route.continue()
    await route.fetch()
    await route.abort()
  })
  const open = async () => {
    await rowOf(page, '613.5 CPC')
      .getByRole('button', { name: /^Buy from/ })
      .click()
    await page.getByLabel('Amount (CPC)').last().fill('200')
  }
  await open()
  await page.getByRole('button', { name: 'Buy 200 CPC' }).click()
  const dialog = page.getByRole('dialog', { name: /^Buy CPC from/ })
  await expect(page.getByText('We have not heard yet whether this went through')).toBeVisible()
  await expect(dialog.getByLabel('Amount (CPC)')).toHaveValue('200')
  isLost = false
  await page.reload()
  await rowOf(page, '413.5 CPC')
    .getByRole('button', { name: /^Buy from/ })
    .click()
  await page.getByLabel('Amount (CPC)').last().fill('200')
  await page.getByRole('button', { name: 'Buy 200 CPC' }).click()
  await expect(page.getByText('You bought 200 CPC.')).toBeVisible()
  expect(await askApi(page, '/p2p/user/trades')).toHaveLength(1)
  // Buy the rest, so that no open order remains.
  await rowOf(page, '413.5 CPC')
    .getByRole('button', { name: /^Buy from/ })
    .click()
  await page.getByRole('button', { name: 'Buy 413.5 CPC' }).click()
  await expect(page.getByText('You bought 413.5 CPC.')).toBeVisible()
  await expect(rowOf(page, '413.5 CPC')).toHaveCount(0)
  await page.goto('/p2p?tab=history')
  await expect(page.getByText('BOUGHT', { exact: true })).toHaveCount(2)
})

test('across the book: "I want", what it takes is marked, one confirmation, pressed twice', { tag: '@phone' }, async ({
  journey
}) => {
  const { page } = journey
  await signUpTrader(journey)
  // Below all others, so that nobody else's orders are taken.
  await sellToMe(journey, '301', '0.0260')
  await sellToMe(journey, '402', '0.0261')
  await page.goto('/p2p')
  await journey.hydrated()
  await page.getByLabel('I want, in CPC').fill('500')
  await expect(page.getByText('takes 301')).toBeVisible()
  await expect(page.getByText('takes 199')).toBeVisible()
  const facts = page.locator('.want-facts')
  await expect(facts).toContainText('13.0199 USDC')
  await expect(facts).toContainText('0.02604')
  await expect(facts).toContainText('2 orders')
  await journey.expectAccessible()
  await page.getByRole('button', { name: 'Buy 500 CPC' }).dblclick()
  const dialog = page.getByRole('dialog', { name: 'Buy 500 CPC' })
  await expect(dialog.getByText('From 2 orders, in one booking: all of it or nothing.')).toBeVisible()
  await journey.expectAccessible()
  await dialog.getByRole('button', { name: 'Buy 500 CPC' }).dblclick()
  await expect(page.getByText('You bought 500 CPC.')).toBeVisible()
  expect(
    (await askApi(page, '/p2p/user/trades')).map(({ asset_amount }: { asset_amount: string }) => asset_amount).sort()
  ).toEqual([String(199n * COIN), String(301n * COIN)].sort())
  // What somebody wants more of than there is, or more than they can pay, is said at once.
  await page.getByLabel('I want, in CPC').fill('99999999')
  await expect(page.getByText(/^The book has .* CPC for you at the moment\.|^Insufficient funds in USDC\./)).toBeVisible()
  await page.getByLabel('I want, in CPC').fill('203')
  await page.getByRole('button', { name: 'Buy 203 CPC' }).click()
  await page.getByRole('dialog', { name: 'Buy 203 CPC' }).getByRole('button', { name: 'Buy 203 CPC' }).click()
  await expect(page.getByText('You bought 203 CPC.')).toBeVisible()
  // Without a reload: the trades are as live as the book.
  const trades = page.getByRole('region', { name: 'Price over time' })
  await expect(trades.getByText('203 CPC')).toBeVisible({ timeout: 10_000 })
  await expect(trades.getByText(/^Average price /)).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^\d+ trades?, last 0\.0/ })).toBeVisible()
})

test('one stream a browser serves its tabs; where it cannot be had, the book is asked for', { tag: '@desktop' }, async ({
  journey
}) => {
  const { page } = journey
  await signUpTrader(journey)
  let streams = 0
  page.context().on('request', (request) => {
    if (request.url().endsWith('/p2p/orders/stream')) streams += 1
  })
  await page.goto('/p2p')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  const second = await page.context().newPage()
  await second.goto('/p2p')
  await expect(second.getByText('Live', { exact: true })).toBeVisible()
  expect(streams).toBe(1)
  await page.close()
  await expect.poll(() => streams).toBe(2)
  await expect(second.getByText('Live', { exact: true })).toBeVisible()

  journey.expectedErrors.push(/ERR_FAILED|Failed to load resource/)
  await second.context().route('**/v1/p2p/orders/stream', (route) => route.abort())
  await second.reload()
  await postJson(journey.baseUrl, '/p2p/order', sale(), await tokenOf({ page: second }))
  await expect(rowOf(second, '38.125 CPC')).toBeVisible({ timeout: 20_000 })
  await expect(second.getByText('Live', { exact: true })).toHaveCount(0)
  await rowOf(second, '38.125 CPC').getByRole('button').click()
  await expect(second.getByText('Order cancelled successfully!')).toBeVisible()
})

const sale = () => ({
  orderType: 'SELL',
  assetCurrency: 'CPC',
  settlementCurrency: 'USDC',
  listedAssetAmount: String((38_125n * COIN) / 1000n),
  pricePerCoin: '0.0509',
  settlementCurrencyType: 'CRYPTO',
  paymentMethod: 'INTERNAL_CRYPTO_TRANSFER',
  paymentDetails: ''
})

test('who is not verified sees the panel in place of the page', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  const email = await journey.signUp({ unverified: true })
  await giveFunds(journey, { email, token: await tokenOf(journey) }, { dollars: 0n })
  await page.goto('/p2p')
  await expect(page.getByRole('heading', { name: 'KYC Verification Required' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Verify Now/ })).toBeVisible()
  await expect(page.getByText('Sell orders')).toHaveCount(0)
  await journey.expectAccessible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the book is readable, an amount is planned, and an order can be cancelled', { tag: '@desktop' }, async ({
    page,
    context,
    baseURL
  }) => {
    const baseUrl = baseURL ?? ''
    const visitor = await signUpAt(baseUrl)
    await openSession(context, baseUrl, visitor)
    await giveFunds({ page, baseUrl }, visitor, { dollars: 0n })
    expect((await postJson(baseUrl, '/p2p/order', { ...sale(), listedAssetAmount: '2212500000' }, visitor.token)).status).toBe(
      200
    )
    // Somebody else's order: what other journeys offer comes and goes.
    const seller = await signUpAt(baseUrl)
    await giveFunds({ page, baseUrl }, seller, { dollars: 0n })
    expect((await postJson(baseUrl, '/p2p/order', { ...sale(), listedAssetAmount: '3312500000' }, seller.token)).status).toBe(200)
    await page.goto('/p2p')
    await expect(rowOf(page, '22.125 CPC').getByText('OWNER')).toBeVisible()
    await page.getByLabel('I want, in CPC').fill('100000000')
    await page.getByRole('button', { name: 'Buy', exact: true }).click()
    await expect(page).toHaveURL(/amount=100000000/)
    // A customer without USDC is told that first.
    await expect(page.getByText('Insufficient funds in USDC.')).toBeVisible()
    await expect(page.getByText(/^takes /).first()).toBeVisible()
    await page.goto('/p2p?tab=ongoing')
    await page.getByRole('button', { name: 'Cancel your order at 0.05090' }).click()
    await expect(page.getByText('Order cancelled successfully!')).toBeVisible()
  })
})
