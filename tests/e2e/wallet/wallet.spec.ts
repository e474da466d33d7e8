import { expect, test } from '#support/journey.ts'

test('the wallet lists every token, searches, moves, and every figure opens its lines', { tag: '@desktop' }, async ({
  journey
}) => {
  const { page } = journey
  await journey.signUp()
  await page.goto('/package-detail/19/preview?token=CPC')
  await page.waitForURL(/order=RF/)
  await journey.pay(new URL(page.url()).searchParams.get('order') ?? '', 'Payment arrives')
  await page.goto('/token-list')
  const rows = page
    .getByRole('table', { name: /^Your tokens/ })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
  const isPhone = (page.viewportSize()?.width ?? 0) < 1024
  await journey.hydrated()
  await expect(rows).toHaveCount(1)
  await page.getByRole('link', { name: 'Show 23 tokens without a balance' }).click()
  await expect(rows).toHaveCount(24)
  await page.getByLabel('Search tokens').fill('sol ana')
  await expect(rows).toHaveCount(1)
  if (!isPhone) {
    await rows.getByRole('button', { name: /^More for/ }).click()
    await page
      .getByRole('navigation', { name: /^More for/ })
      .getByRole('button', { name: 'Order history' })
      .click()
    await expect(page.getByText('Coming soon', { exact: true })).toBeVisible()
  }
  await page.getByLabel('Search tokens').fill('')
  await page.reload()
  await expect(rows).toHaveCount(1)
  const cpc = rows.filter({ hasText: 'CP Coin' })
  if (isPhone) {
    // On a phone, a token's actions are on the token's page.
    await cpc.getByRole('link', { name: 'CPC' }).first().click()
    await page.getByRole('link', { name: 'Transfer', exact: true }).click()
  } else {
    await expect(cpc.getByRole('link', { name: 'Deposit CPC' })).toHaveAttribute('href', '/deposit/CPC')
    await cpc.getByRole('button', { name: 'More for CPC' }).click()
    const menu = page.getByRole('navigation', { name: 'More for CPC' })
    await expect(menu.getByRole('link', { name: 'Order history' })).toHaveAttribute('href', '/package-history')
    await menu.getByRole('button', { name: 'Transfer' }).click()
  }
  const dialog = page.getByRole('dialog', { name: 'Transfer CPC' })
  await dialog.getByLabel('Amount').fill('20,000.1')
  await dialog.getByRole('button', { name: 'Transfer' }).click()
  await expect(dialog.getByText('Insufficient Balance')).toBeVisible()
  await journey.expectAccessible()
  await dialog.getByLabel('Amount').fill('1500')
  // Pressed twice, as every button of money: it happens once.
  await dialog.getByRole('button', { name: 'Transfer' }).dblclick()
  await expect(page.getByText('Transferred successfully')).toBeVisible()
  await expect(dialog).toBeHidden()
  // The first CPC in funding open the market, in the menu of this very page.
  if (!isPhone)
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'P2P' })).toHaveAttribute(
      'href',
      '/p2p'
    )
  if (isPhone) await page.goto('/statement/CPC?account=available')
  else await cpc.getByRole('link', { name: '20,000.000' }).nth(1).click()
  await expect(page.getByRole('heading', { name: 'CPC statement' })).toBeVisible()
  await expect(page.getByText('20,000 CPC')).toBeVisible()
  await page.getByRole('link', { name: 'Spot' }).click()
  const lines = page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
  await expect(lines).toHaveCount(2)
  await expect(lines.first()).toContainText('−1,500')
  await expect(lines.first()).toContainText('18,500')
  await journey.expectAccessible()
  await page.getByLabel('Type').selectOption('Token purchase')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(lines).toHaveCount(1)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download CSV' }).click()])
  expect(download.suggestedFilename()).toBe('CPC-spot-statement.csv')
  await page.getByRole('link', { name: /^RF/ }).click()
  await expect(page.getByRole('dialog', { name: 'Purchase Details' })).toContainText('Completed')
})
