/** The operators' desk in the browser, with virtual passkeys: people, a withdrawal, a halted chain. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { deskUrl, inMail, inviteAdmin, personAt, picture, proposePerson } from '#support/deskTabs.ts'
import { expect, type Journey, test } from '#support/journey.ts'
import { pressChain, sendDeposit } from '#support/outside.ts'
import { postJson, signUpAt } from '#support/visitor.ts'

const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

/** A customer asks for more than one person may not look at. */
async function bigWithdrawal(journey: Journey): Promise<string> {
  const { baseUrl } = journey
  const { email, token } = await signUpAt(baseUrl)
  await sendDeposit(journey, email, 'USDC', '9000')
  await pressChain(journey, 'ethereum', 'Mine 12')
  await expect(async () => {
    const details = { party: 'self', name: 'Ada Lovelace' }
    const body = { currency: 'USDC', amount: '8000000000', receiver: ETH, details }
    const headers = { authorization: `Bearer ${token}` }
    const { data } = await (await fetch(`${baseUrl}/v1/users/deposit/history`, { headers })).json()
    // Who sent it is asked above EUR 1,000.
    if (!data[0]?.details) await postJson(baseUrl, `/users/deposit/${data[0]?.id}/details`, { ...details, holder: 'own' }, token)
    const asked = await postJson(baseUrl, '/users/withdraw/eth/create', body, token)
    expect(asked.status, await asked.text()).toBe(200)
  }).toPass({ timeout: 20_000 })
  const link = await inMail(journey, email, /withdraw-confirm\?token=([\w.-]+)/)
  expect((await postJson(baseUrl, '/users/withdraw/link/answer', { token: link, isConfirmed: true })).status).toBe(200)
  return email
}

test('a day at the desk: a colleague is invited by two, a withdrawal approved by two, a chain halted and resumed', {
  tag: '@desktop'
}, async ({ journey, browser }) => {
  test.setTimeout(180_000)
  const size = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' as const }
  const ids = randomUUID().slice(0, 6)
  const ada = await personAt(browser, inviteAdmin(`Ada ${ids}`), size)
  const bela = await personAt(browser, inviteAdmin(`Bela ${ids}`), size)
  await picture(ada, 'overview-empty')

  // An admin invites; nothing happens until another one agrees.
  const emails: string[] = []
  for (const [name, roles] of [
    [`Finn ${ids}`, ['finance']],
    [`Cleo ${ids}`, ['compliance']]
  ] as const) {
    emails.push(await proposePerson(ada, name, [...roles]))
    await expect(ada.getByText('It is your own proposal')).toBeVisible()
    await expect(ada.getByRole('button', { name: 'Approve and carry out' })).toHaveCount(0)
    await picture(ada, 'proposal-own')
    await bela.goto(ada.url())
    await bela.getByLabel('Reason, kept for good').fill('I know them')
    await picture(bela, 'proposal')
    await bela.getByRole('button', { name: 'Approve and carry out' }).click()
    await expect(bela.getByText('Approved, and carried out.')).toBeVisible()
  }
  const people: Page[] = []
  for (const email of emails) {
    const token = await inMail(journey, email, /\/join#([\w-]+)/)
    people.push(await personAt(browser, `${deskUrl()}/join#${token}`, size))
  }
  const [finn, cleo] = people as [Page, Page]
  await expect(finn.getByRole('link', { name: 'People' })).toHaveCount(0)

  // A withdrawal above the second sum.
  await bigWithdrawal(journey)
  await finn.goto(`${deskUrl()}/withdrawals`)
  await expect(finn.getByRole('complementary').getByText('8,000 USDC', { exact: true })).toBeVisible()
  await picture(finn, 'withdrawals')
  await finn.getByRole('button', { name: 'Approve as first of two' }).click()
  await expect(finn.getByText('Say why, in a few words.')).toBeVisible()
  await finn.keyboard.press('Escape')
  const why = finn.getByLabel('Reason, kept for good; a rejection is shown to the customer')
  await expect(why).toBeFocused()
  await why.fill('Called the customer, who named the amount')
  await finn.getByRole('button', { name: 'Approve as first of two' }).click()
  await expect(finn.getByText('Approved by you. Another person must approve it, too.')).toBeVisible()
  await expect(finn.getByText('1 of 2 persons approved it')).toBeVisible()
  await cleo.goto(`${deskUrl()}/withdrawals`)
  await cleo.getByText('Show name and e-mail…').click()
  await cleo.getByLabel('Why you need them').fill('To call the customer')
  await cleo.getByRole('button', { name: 'Show for 15 minutes' }).click()
  await expect(cleo.getByText('@example.com')).toBeVisible()
  await cleo.getByLabel('Reason, kept for good; a rejection is shown to the customer').fill('The second call agreed')
  await cleo.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(cleo.getByText('Approved. The signer signs it next.')).toBeVisible()
  // The signer of the sandbox takes it.
  await expect(async () => {
    await cleo.goto(`${deskUrl()}/withdrawals?filter=underway`)
    await expect(cleo.getByText('On the chain').first()).toBeVisible({ timeout: 1000 })
  }).toPass()
  await picture(cleo, 'withdrawals-underway')

  // Compliance looks at the customer, and holds the account.
  await cleo.goto(`${deskUrl()}/customers`)
  await cleo.getByRole('textbox', { name: /exactly as it is written/ }).fill(ETH)
  await cleo.getByRole('button', { name: 'Find' }).click()
  await expect(cleo.getByRole('heading', { name: 'Found' })).toBeVisible()
  // What was looked for is in no address.
  expect(cleo.url()).toBe(`${deskUrl()}/customers`)
  await cleo.getByRole('link', { name: /^C-/ }).first().click()
  await cleo.getByText('Hold for a day…').click()
  await cleo.getByLabel('Why; the customer reads it').first().fill('We want to call you first')
  await cleo.getByRole('button', { name: 'Hold for a day' }).click()
  await expect(cleo.getByText('Held for a day.')).toBeVisible()
  await picture(cleo, 'customer')

  // An operator halts a chain at once; two resume it.
  await finn.goto(`${deskUrl()}/withdrawals`)
  const cpc = finn.locator('[aria-labelledby=halts] details.halt', { hasText: 'CPC' })
  await cpc.locator('summary').click()
  await cpc.getByLabel('Why it must stop').fill('The node is silent')
  await cpc.getByRole('button', { name: 'Halt CPC' }).click()
  await expect(cpc.getByText('Halted', { exact: true })).toBeVisible()
  await cpc.locator('summary').click()
  await cpc.getByLabel('Why it may go on').fill('The node answers again')
  await cpc.getByRole('button', { name: 'Propose to resume' }).click()
  await finn.waitForURL('**/approvals/*')
  await ada.goto(finn.url())
  await ada.getByLabel('Reason, kept for good').fill('Seen in the log')
  await ada.getByRole('button', { name: 'Approve and carry out' }).click()
  await expect(ada.getByText('What it did')).toBeVisible()

  // The log has all of it; the keys move.
  await cleo.goto(`${deskUrl()}/audit`)
  await expect(cleo.getByText('Approve a withdrawal').first()).toBeVisible()
  await picture(cleo, 'audit')
  await cleo.keyboard.press('g')
  await cleo.keyboard.press('w')
  await cleo.waitForURL('**/withdrawals')
  await cleo.keyboard.press('?')
  await expect(cleo.getByRole('heading', { name: 'Keys' })).toBeVisible()
  await cleo.keyboard.press('Escape')
  await picture(ada, 'proposal-done')

  // On call, with a phone; and on a small screen: nothing stands out sideways.
  const proposal = ada.url()
  for (const [page, path] of [
    [cleo, '/withdrawals?filter=all'],
    [cleo, '/audit'],
    [cleo, '/customers'],
    [finn, '/approvals?filter=over'],
    [finn, '/'],
    [ada, new URL(proposal).pathname]
  ] as const)
    for (const width of [390, 1024]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`${deskUrl()}${path}`)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(wide, `${path} at ${width}`).toBe(0)
    }

  // Signing out, and in again with the passkey alone.
  await finn.goto(`${deskUrl()}/me`)
  await finn.getByRole('button', { name: 'Sign out' }).click()
  await finn.waitForURL('**/sign-in')
  await picture(finn, 'sign-in')
  await finn.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(finn.getByRole('heading', { name: 'Overview' })).toBeVisible()
  for (const page of [ada, bela, finn, cleo]) await page.context().close()
})
