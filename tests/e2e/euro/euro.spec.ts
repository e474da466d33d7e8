import { readFile } from 'node:fs/promises'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from '#support/journey.ts'

test.beforeEach(({ journey }) => journey.signUp())

test('the account is explained, and its terms come from the static agreement file', async ({ journey }) => {
  const { page } = journey
  await page.goto('/euro')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('EURO Sepa IBAN')
  await expect(page.getByText(/none of it is real money/)).toBeVisible()
  const asked = page.waitForRequest('**/agreement.json')
  await page.getByRole('link', { name: 'General Terms & Conditions' }).click()
  await asked
  const terms = page.getByRole('dialog', { name: 'General Terms & Conditions' })
  await expect(terms.getByRole('heading', { name: 'Who may open one' })).toBeVisible()
  await journey.expectAccessible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Bank details' }).click()
  const details = page.getByRole('dialog', { name: 'Bank details' })
  const goOn = details.getByRole('button', { name: 'Continue' })
  await expect(goOn).toBeDisabled()
  await details.getByRole('checkbox').check()
  await journey.expectAccessible()
  await goOn.click()
  await page.waitForURL('**/euro-list**')
  await page.goto('/euro')
  await page.getByRole('link', { name: 'Open now vIBAN' }).click()
  await page.waitForURL('**/euro-list')
})

test('where the agreement cannot be loaded, that is only logged, and the terms stand on the page', async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/ERR_FAILED/)
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await page.route('**/agreement.json', (route) => route.abort())
  await page.goto('/euro')
  await page.getByRole('link', { name: 'General Terms & Conditions' }).click()
  await page.waitForURL('**/euro?agreement**')
  await expect(page.getByRole('heading', { name: 'Who may open one' })).toBeVisible()
  expect(logged.filter((text) => text.startsWith('agreement not loaded'))).toHaveLength(1)
})

test('the list has actions for a verified account alone, details to copy, and a letter as a PDF', async ({ journey }) => {
  const { page } = journey
  await page.goto('/euro-list')
  await journey.hydrated()
  const [verified, pending] = [page.getByRole('row', { name: /LT12/ }), page.getByRole('row', { name: /EE38/ })]
  await expect(verified).toContainText('Verified')
  await expect(pending).toContainText('Pending')
  await expect(pending.getByRole('link')).toHaveCount(0)
  for (const [name, path] of [
    ['Swap', '/coming-soon'],
    ['History', '/euro-history'],
    ['Withdrawal', '/euro-withdraw']
  ] as const)
    await expect(verified.getByRole('link', { name })).toHaveAttribute('href', path)
  await verified.getByRole('button', { name: 'Deposit/Details' }).click()
  const modal = page.getByRole('dialog', { name: 'Deposit details' })
  await expect(modal).toContainText('Bank transfer (only Sepa)')
  await expect(modal).toContainText('TRANSFER BETWEEN YOUR OWN ACCOUNTS')
  await journey.expectAccessible()
  await modal.getByRole('button', { name: 'Copy IBAN' }).click()
  await expect(page.getByText('Copy successfully').first()).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('SAMPLE LT121000011101001000')
  await modal.getByRole('button', { name: /Copy all/i }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(
      'SAMPLE: this account does not exist.\nBeneficiary: Sample Customer\nIBAN: LT121000011101001000\nBIC: SMPLLT22XXX\nRemark: TRANSFER BETWEEN YOUR OWN ACCOUNTS'
    )
  const loaded = page.waitForEvent('download')
  await modal.getByRole('link', { name: 'Generate PDF Reference Letter' }).click()
  const file = await (await loaded).path()
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await readFile(file))), { mergePages: true })
  expect(text.replace(/\s+/g, ' ')).toContain('LT12 1000 0111 0100 1000')
  // The company's letterhead apart, it begins with what it is.
  expect(text.indexOf('SAMPLE')).toBeLessThan(text.indexOf('LT12'))
})

test('a withdrawal shows fee and received while typing, is checked, confirmed on a page of its own, and moves nothing', async ({
  journey
}) => {
  const { page } = journey
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/v1/')) calls.push(new URL(request.url()).pathname)
  })
  await page.goto('/confirm-euro')
  await page.waitForURL('**/euro-withdraw')
  await journey.hydrated()
  const [amount, submit] = [page.getByRole('textbox', { name: 'Amount' }), page.getByRole('button', { name: 'Submit' })]
  await expect(amount).toHaveAttribute('placeholder', 'Minimum withdrawal amount: 1')
  await submit.click()
  await expect(page.getByText('Missing required data. Please provide wallet address and amount.')).toBeVisible()
  await expect(page.getByText('Please choose a payout IBAN.')).toBeVisible()
  await journey.expectAccessible()
  await amount.fill('20000.1')
  await expect(page.getByText('Insufficient Balance')).toBeVisible()
  await expect(amount).toHaveClass(/text-red/)
  await amount.fill('1000')
  await expect(page.getByRole('status').filter({ hasText: '€45.54' })).toBeVisible()
  await page.getByRole('radio', { name: 'ETH' }).check()
  await expect(page.getByText('0.0008 ETH')).toBeVisible()
  await expect(page.getByText('Insufficient Balance')).toBeVisible()
  await amount.fill('0.1')
  await expect(page.getByRole('status').filter({ hasText: '€301.17' })).toBeVisible()
  await page.getByRole('radio', { name: /Vienna/ }).check()
  await page.getByLabel('Remarks (optional)').fill('Rent')
  await submit.dblclick()
  await page.waitForURL('**/confirm-euro')
  const main = page.getByRole('main')
  for (const text of ['0.1 ETH', 'AT61 1904 3002 3457 3201', '€301.17', 'Rent']) await expect(main).toContainText(text)
  await journey.expectAccessible()
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(amount).toHaveValue('0.1')
  await submit.click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Your withdrawal would now be sent')).toBeVisible()
  await page.reload()
  await page.waitForURL('**/euro-withdraw')
  expect(calls.filter((path) => !path.startsWith('/v1/users/refresh-token'))).toEqual([])
})

test('the history is filtered, saved as a file with the same filter, and shows the real balance of rewards', async ({
  journey
}) => {
  const { page } = journey
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/v1/users/balance', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/euro-history')
  const rewards = page.locator('[data-rewards]')
  await expect(rewards).toHaveText('Loading...')
  release()
  await expect(rewards).toHaveText('0 CPC')
  await page.getByRole('searchbox', { name: 'IBAN' }).fill('at61 1904')
  await page.getByLabel('From').fill('2026-09-01')
  await page.getByLabel('Until').fill('2026-11-18')
  await page.getByLabel('Action').selectOption('Deposit')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page.locator('tbody tr')).toHaveCount(2)
  const loaded = page.waitForEvent('download')
  await page.getByRole('link', { name: /Download/ }).click()
  const csv = await readFile(await (await loaded).path(), 'utf8')
  expect(csv.trim().split('\r\n')).toEqual([
    'Sample,Date (UTC),Action,Amount (EUR),IBAN,Remarks',
    'SAMPLE,2026-11-18 09:24:11,Deposit,500.00,AT611904300234573201,TRANSFER BETWEEN YOUR OWN ACCOUNTS',
    'SAMPLE,2026-09-30 18:12:27,Deposit,1500.00,AT611904300234573201,TRANSFER BETWEEN YOUR OWN ACCOUNTS'
  ])
  await page.goto('/euro-history?action=Swap&from=2026-11-01')
  await expect(page.getByText('No payments match this filter')).toBeVisible()
})
