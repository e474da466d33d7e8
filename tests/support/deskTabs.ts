/** Members of staff in the browser, each in a context of their own with a virtual passkey. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { expect, type Journey } from './journey.ts'
import { NODE_ENVIRONMENT } from './nodeEnvironment.ts'
import { addVirtualPasskey } from './virtualPasskey.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const deskUrl = () => process.env.E2E_DESK_URL ?? ''

/** Pictures of the page as it is now, to be looked at beside a drawing: `LOOK=folder playwright test tests/e2e/desk`. Without LOOK, nothing. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.LOOK
  if (!folder) return
  const was = page.viewportSize()
  for (const [width, colorScheme] of [
    [390, 'light'],
    [1024, 'dark'],
    [1440, 'dark'],
    [1440, 'light']
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (was) await page.setViewportSize(was)
}

/** The link of an invitation by the command line. The journeys share a database, so names are new each time. */
export function inviteAdmin(name: string): string {
  const env = { ...NODE_ENVIRONMENT, DATABASE_URL: process.env.E2E_DATABASE_URL ?? '', LOG_LEVEL: 'silent' }
  const said = execFileSync(process.execPath, ['run.mjs', 'staff', 'invite', name, `${randomUUID()}@desk.example`], {
    cwd: root,
    env
  })
  const token = /\/join#([\w-]+)/.exec(said.toString())?.[1] ?? ''
  return `${deskUrl()}/join#${token}`
}

/** A tab of a person with a passkey of their own: this page's browser context is nobody else's. */
export async function personAt(
  browser: Browser,
  link: string,
  options: Parameters<Browser['newContext']>[0] = {}
): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await addVirtualPasskey(page)
  await page.goto(link)
  await page.getByLabel('Name of this passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Make a passkey and join' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  return page
}

/** A text in the newest mail to an address, which a background job sends. */
export async function inMail({ page }: Journey, email: string, pattern: RegExp): Promise<string> {
  let found = ''
  await expect(async () => {
    const html = await (await page.request.get('/sandbox')).text()
    const mails = html.split('data-mail=').filter((mail) => mail.startsWith(`"${email}"`))
    found = mails.map((mail) => pattern.exec(mail)?.[1]).find(Boolean) ?? ''
    expect(found).not.toBe('')
  }).toPass()
  return found
}

/** An admin proposes a person, and is at the proposal. Returns the person's address. */
export async function proposePerson(admin: Page, name: string, roles: string[]): Promise<string> {
  const email = `${randomUUID()}@desk.example`
  await admin.goto(`${deskUrl()}/people`)
  await admin.getByLabel('Name', { exact: true }).fill(name)
  await admin.getByLabel('E-mail, where the link goes').fill(email)
  const form = admin.locator('form[data-call=proposeInvitation]')
  for (const role of roles) await form.getByLabel(role).check()
  await form.getByLabel('Why').fill('Joins the team today')
  await form.getByRole('button', { name: 'Propose' }).click()
  await admin.waitForURL('**/approvals/*')
  return email
}

/** Another person approves the proposal at this address. */
export async function approveAt(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByLabel('Reason, kept for good').fill('Looked at it')
  await page.getByRole('button', { name: 'Approve and carry out' }).click()
  await expect(page.getByText('Approved, and carried out.')).toBeVisible()
}

type Team = { journey: Journey; browser: Browser; admins: [Page, Page]; size: Parameters<Browser['newContext']>[0] }

/** A person whom two admins invite, signed in. */
export async function colleagueAt(
  { journey, browser, admins: [first, second], size }: Team,
  name: string,
  roles: string[]
): Promise<Page> {
  const email = await proposePerson(first, name, roles)
  await approveAt(second, first.url())
  const token = await inMail(journey, email, /\/join#([\w-]+)/)
  return personAt(browser, `${deskUrl()}/join#${token}`, size)
}
