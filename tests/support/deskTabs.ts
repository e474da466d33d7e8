/** Members of staff in the browser, each in a context of their own with a virtual passkey. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { expect } from './journey.ts'
import { NODE_ENVIRONMENT } from './nodeEnvironment.ts'
import { addVirtualPasskey } from './virtualPasskey.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const deskUrl = () => process.env.E2E_DESK_URL ?? ''

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
