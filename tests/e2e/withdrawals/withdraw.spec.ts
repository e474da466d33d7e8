import { expect, type Journey, test } from '#support/journey.ts'
import { outside, pressChain, sendDeposit } from '#support/outside.ts'

const ACCOUNT = 'CPC-JJN2-RL9F-BWP6-GTUER'
const PUBLIC_KEY = 'e94ef3fcafd98d1eabb2ae8e3ba4b8a9ae9c1c8f5e1a5f2f17e9df9a0d3d8a11'
const BITCOIN = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** The path of the confirmation link in the newest mail with this subject. */
async function linkIn(journey: Journey, email: string, subject: string): Promise<string> {
  let link = ''
  await outside(journey, async (tab) => {
    const mail = tab.locator(`[data-mail="${email}"]`, { hasText: subject }).first()
    // A background job sends the mail, so retry.
    await expect(async () => {
      await tab.reload()
      await expect(mail).toBeVisible({ timeout: 1000 })
    }).toPass()
    link = /\/withdraw-confirm\?token=[\w.-]+/.exec((await mail.textContent()) ?? '')?.[0] ?? ''
  })
  return link
}

async function fundedCustomer(journey: Journey, currency: string, chain: string, amount: string): Promise<string> {
  const email = await journey.signUp()
  await sendDeposit(journey, email, currency, amount)
  await pressChain(journey, chain, 'Mine 12')
  return email
}

test('CPC: typed, checked while typing, confirmed by mail, sent, and followed to its end', { tag: '@phone' }, async ({
  journey
}) => {
  const { page } = journey
  const email = await fundedCustomer(journey, 'CPC', 'cpc', '500')
  await page.goto('/token/CPC')
  await page.getByRole('link', { name: 'Withdraw', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Withdraw', level: 1 })).toBeVisible()
  await journey.hydrated()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Missing required data. Please provide wallet address and amount.')).toBeVisible()
  const address = page.getByLabel('Address', { exact: true })
  await address.fill(ACCOUNT.replace('JJN2', '2NJJ'))
  await expect(page.getByText('A character in this account is wrong. Please copy it again.')).toBeVisible()
  await address.fill(ACCOUNT)
  await expect(page.getByText(/^A valid CPC address. Its account: \d+$/)).toBeVisible()
  const key = page.getByLabel('Public key')
  await key.fill('ab'.repeat(32))
  await expect(page.getByText('This public key does not match the account.')).toBeVisible()
  await key.fill(PUBLIC_KEY)
  const amount = page.getByLabel('Amount', { exact: true })
  await amount.fill('600')
  await expect(page.getByText('Insufficient Balance. You have 500 CPC.')).toBeVisible()
  await page.getByRole('button', { name: 'Max' }).click()
  await expect(amount).toHaveValue('500')
  await amount.fill('120')
  await expect(page.getByRole('region', { name: 'What arrives' })).toContainText('110')
  await journey.expectAccessible()
  await page.getByRole('button', { name: 'Submit' }).dblclick()
  const dialog = page.getByRole('dialog', { name: 'Withdrawal Confirmation' })
  await expect(dialog).toContainText('This address is new.')
  await journey.expectAccessible()
  await dialog.getByRole('button', { name: 'Withdraw 120 CPC' }).dblclick()
  await page.waitForURL('**/package-history?tab=withdrawal')
  await expect(page.getByText('Withdraw CPC successfully')).toBeVisible()
  const row = page.getByRole('row').filter({ has: page.getByText('120', { exact: true }) })
  await expect(row).toContainText('Confirm by email')
  await journey.expectAccessible()

  await page.goto('/withdraw/CPC')
  const progress = page.getByRole('region', { name: 'Withdrawal of 120 CPC' })
  await expect(progress.locator('[aria-current=step]')).toContainText('Confirmed by you')
  await expect(progress.getByRole('button', { name: 'Cancel withdrawal' })).toBeVisible()
  await journey.expectAccessible()
  await page.goto(await linkIn(journey, email, 'Please confirm your withdrawal of 120 CPC'))
  await expect(page.getByText(ACCOUNT)).toBeVisible()
  await journey.expectAccessible()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Thank you. It is confirmed.' })).toBeVisible()
  await pressChain(journey, 'cpc', 'Sign and send')
  await pressChain(journey, 'cpc', 'Mine 12')
  await page.goto('/withdraw-history')
  await expect(page.getByRole('row').filter({ has: page.getByText('120', { exact: true }) })).toContainText('Confirmed')
  await expect(page.getByRole('region', { name: 'Address book' })).toContainText(ACCOUNT)
  await journey.expectAccessible()
  await page.goto('/activity?kind=withdrawal')
  await expect(page.getByText('−120 CPC')).toBeVisible()
  const csv = await page.request.get('/package-history/csv?tab=withdrawal&token=CPC')
  expect(await csv.text()).toContain(`CPC,CPCx0,120.00000000,${ACCOUNT},10.00000000,110.00000000`)
  expect(await (await page.request.get('/package-history/csv?tab=withdrawal&token=BTC')).text()).not.toContain('120.0')
})

test('a lost answer, pressed again and after a reload, is one withdrawal; it is cancelled without a script', {
  tag: '@phone'
}, async ({ journey }) => {
  const { page } = journey
  await fundedCustomer(journey, 'BTC', 'bitcoin', '0.01')
  await page.goto('/withdraw/BTC')
  await journey.hydrated()
  const fill = async () => {
    await page.getByLabel('Address', { exact: true }).fill(BITCOIN)
    await expect(page.getByText('A valid BTC address.')).toBeVisible()
    await page.getByLabel('Amount', { exact: true }).fill('0.004')
    await page.getByRole('button', { name: 'Submit' }).click()
  }
  const send = () => page.getByRole('dialog').getByRole('button', { name: 'Withdraw 0.004 BTC' }).click()
  await fill()
  journey.expectedErrors.push(/ERR_FAILED|ERR_CONNECTION/)
  let lost = 0
  await page.route('**/users/withdraw/btc/create', async (route) => {
    if (lost < 2) {
      lost += 1
      await route.fetch()
      await route.abort('connectionfailed')
    } else await route.fallback()
  })
  await send()
  await expect(page.getByText('We have not heard yet whether this went through')).toBeVisible()
  await page.reload()
  await journey.hydrated()
  await fill()
  await send()
  await page.waitForURL('**/package-history?tab=withdrawal')
  const rows = page.getByRole('row').filter({ hasText: '0.004' })
  await expect(rows).toHaveCount(1)
  await rows.getByRole('button', { name: 'Cancel the withdrawal of 0.004 BTC' }).click()
  await expect(page.getByText('Withdrawal cancelled. The amount is back in your wallet.')).toBeVisible()
  await expect(rows).toContainText('Cancelled')
})

test('an old proof asks who is there first; the address book and the whitelist do too', { tag: '@desktop' }, async ({
  journey
}) => {
  const { page } = journey
  const email = await fundedCustomer(journey, 'CPC', 'cpc', '100')
  await journey.letTimePass(email, 'proof')
  // Refusals until the proof is renewed, and those of the whitelist.
  journey.expectedErrors.push(/status of (400|403|422)/)
  await page.goto('/withdraw-history')
  await journey.hydrated()
  const book = page.getByRole('region', { name: 'Address book' })
  await book.getByRole('button', { name: 'Add an address' }).click()
  await book.getByLabel('Name').fill('My node')
  await book.getByLabel('Network').selectOption('cpc')
  await book.getByLabel('Address', { exact: true }).fill(ACCOUNT)
  await book.getByLabel('Public key').fill(PUBLIC_KEY)
  await book.getByRole('button', { name: 'Add an address' }).click()
  const proof = page.getByRole('dialog', { name: /confirm/i })
  await expect(proof).toBeVisible()
  await proof.getByLabel(/code/i).fill(await journey.codeFor(email))
  await expect(book.getByText('My node')).toBeVisible()
  await book.getByRole('button', { name: 'Switch on' }).click()
  await expect(book.getByRole('button', { name: 'Switch off' })).toBeVisible()
  await journey.expectAccessible()
  await page.goto('/withdraw/CPC')
  await journey.hydrated()
  await page.getByText('Address book').click()
  await page.getByRole('button', { name: /My node/ }).click()
  await page.getByLabel('Amount', { exact: true }).fill('50')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw 50 CPC' }).click()
  await expect(page.getByText('This address is not on your whitelist.')).toBeVisible()
})

test('above EUR 1,000 the sender of a deposit is asked for first, without a script', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  await fundedCustomer(journey, 'USDC', 'ethereum', '2500')
  await page.goto('/withdraw/USDC')
  await expect(page.getByRole('heading', { name: 'Who sent your deposit of 2,500 USDC?' })).toBeVisible()
  await journey.expectAccessible()
  await expect(page.getByLabel('Full name')).toBeHidden()
  await expect(page.getByRole('radio', { name: 'I did, Ada Lovelace' })).toBeChecked()
  await page.getByRole('radio', { name: /^Somebody else/ }).check()
  await expect(page.getByLabel('Full name')).toBeVisible()
  await page.getByRole('radio', { name: /^I did/ }).check()
  await page.getByRole('button', { name: 'Save answer' }).click()
  await expect(page.getByText('Thank you. The sender is saved with your deposit.')).toBeVisible()
  await journey.hydrated()
  await page.getByLabel('Amount', { exact: true }).fill('1500')
  const who = page.getByRole('group', { name: 'Who receives it?' })
  await expect(who.getByRole('radio', { name: 'Me, Ada Lovelace' })).toBeChecked()
  await expect(who.getByLabel('Full name')).toHaveCount(0)
  // An impossible sum takes "Received" away: panel and thumb bar say what can be sent.
  await page.getByLabel('Amount', { exact: true }).fill('3000')
  const panel = page.getByRole('region', { name: 'What arrives' })
  await expect(panel).toContainText('You can send up to')
  await expect(panel).not.toContainText('Received')
  await expect(page.locator('.thumb')).toContainText('2,500 USDC')
})
