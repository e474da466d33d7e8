/** A day of compliance: a name like one of the list is found and holds its customer, is looked at, let go by two; a message is answered, a limit raised. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { approveAt, colleagueAt, deskUrl, inMail, inviteAdmin, personAt, picture } from '#support/deskTabs.ts'
import { expect, test } from '#support/journey.ts'
import { postJson, signUpAt } from '#support/visitor.ts'

test('a day of compliance', { tag: '@desktop' }, async ({ journey, browser }) => {
  test.setTimeout(180_000)
  const size = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' as const }
  const ids = randomUUID().slice(0, 6)
  const admins: [Page, Page] = [
    await personAt(browser, inviteAdmin(`Ada ${ids}`), size),
    await personAt(browser, inviteAdmin(`Bela ${ids}`), size)
  ]
  const fay = await colleagueAt({ journey, browser, admins, size }, `Fay ${ids}`, ['compliance'])
  const clara = await colleagueAt({ journey, browser, admins, size }, `Clara ${ids}`, ['compliance'])

  // Somebody whose name is like one of the sandbox's list.
  const { baseUrl } = journey
  const { token, email } = await signUpAt(baseUrl, { person: { firstName: 'Zebulon Quorthax', lastName: 'Vane' } })
  const name = fay.getByRole('row', { name: /Z\. Q\./ }).first()
  await expect(async () => {
    await fay.goto(`${deskUrl()}/names`)
    await expect(name).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 30_000 })
  await name.getByRole('link').click()
  await expect(fay.getByText('The customer is held until this is decided.')).toBeVisible()
  // Masked until a reason is given.
  await expect(fay.locator('#side')).not.toContainText('Zebulon Quorthax Vane')
  await picture(fay, 'names')
  await fay.getByLabel('Why you must see the name').fill('To compare with the list')
  await fay.getByRole('button', { name: 'Show for 15 minutes' }).click()
  await expect(fay.getByText(/Zebulon Quorthax Vane/)).toBeVisible()
  // The customer is told of a hold, and nothing of the list.
  const profile = await fetch(`${baseUrl}/v1/users/withdraw/rules`, { headers: { authorization: `Bearer ${token}` } })
  expect((await profile.json()).data.gate.reason).toBe('held')

  // They write to support, and ask for a higher limit meanwhile.
  const written = await postJson(baseUrl, '/support', { message: 'Why can I not withdraw?', context: [] }, token)
  const { number } = (await written.json()).data
  await fay.goto(`${deskUrl()}/support`)
  await fay
    .getByRole('row', { name: new RegExp(number) })
    .getByRole('link')
    .first()
    .click()
  await fay.getByRole('link', { name: 'Identity check', exact: true }).click()
  await expect(fay.getByRole('textbox', { name: /The customer reads it/ })).toContainText('The check of your identity is')
  await fay
    .getByRole('textbox', { name: /The customer reads it/ })
    .fill('We are looking at your account.\n\nWe write to you when we are done.')
  await picture(fay, 'support')
  // A message that came meanwhile is shown first; what was written stays.
  await postJson(baseUrl, '/support', { message: 'I am still waiting.', number, context: [] }, token)
  await fay.getByRole('button', { name: 'Send the answer' }).click()
  await expect(fay.getByText('There is a new message. Read it first: what you wrote is still in its field.')).toBeVisible()
  await expect(fay.locator('#side')).toContainText('I am still waiting.')
  await expect(fay.getByRole('textbox', { name: /The customer reads it/ })).toHaveValue(
    'We are looking at your account.\n\nWe write to you when we are done.'
  )
  await fay.getByRole('button', { name: 'Send the answer' }).click()
  await expect(fay.getByText('Answered, by mail and among their notices.')).toBeVisible()
  await inMail(journey, email, new RegExp(`\\[(${number})\\] Our answer`))

  // Not this person: proposed by one, approved by another; the hold is gone.
  await fay.goto(`${deskUrl()}/names`)
  await fay
    .getByRole('row', { name: /Z\. Q\./ })
    .first()
    .getByRole('link')
    .click()
  await fay.getByLabel('What you compared').fill('Another birth date on the passport')
  await fay.getByRole('button', { name: 'Not this person' }).click()
  await fay.waitForURL('**/approvals/*')
  await picture(fay, 'proposal-name')
  await approveAt(clara, fay.url())
  const after = await fetch(`${baseUrl}/v1/users/withdraw/rules`, { headers: { authorization: `Bearer ${token}` } })
  expect((await after.json()).data.gate.reason).toBeNull()

  await postJson(baseUrl, '/users/withdraw/limit', { dayCents: '2000000', why: 'I buy a house' }, token)
  await fay.goto(`${deskUrl()}/customers`)
  await fay
    .getByRole('row', { name: /I buy a house/ })
    .getByRole('link')
    .first()
    .click()
  await fay.getByLabel('What you looked at').fill('Their account and its history')
  await picture(fay, 'customer-limit')
  await fay.getByRole('button', { name: 'Propose to raise it' }).click()
  await fay.waitForURL('**/approvals/*')
  await approveAt(clara, fay.url())
  await inMail(journey, email, /(Your limit was raised)/)
  await fay.goto(`${deskUrl()}/audit`)
  await expect(fay.getByText('Approved: not this person').first()).toBeVisible()
  for (const page of [...admins, fay, clara]) await page.context().close()
})
