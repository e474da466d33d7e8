import { mkdtempSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { launchOptions } from './support/chromium.ts'
import { startServer } from './support/serverProcess.ts'
import { codeInMailbox } from './support/visitor.ts'

const server = await startServer({ DATA_DIR: mkdtempSync('/tmp/nojs-') })
const browser = await chromium.launch(launchOptions())
const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
const page = await context.newPage()
const email = 'plain@example.com'
await page.goto(`${server.url}/sign-up`)
await page.getByRole('button', { name: 'Create Account' }).click()
console.log('empty', await page.locator('.text-red').allTextContents())
await page.getByLabel('Email').fill(email)
await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
await page.getByLabel('Phone number').fill('+43 660 1234567')
await page.getByRole('button', { name: 'Create Account' }).click()
console.log(page.url())
await page.screenshot({ path: '/tmp/shots/nojs-verify.png' })
await page.getByLabel('Verification code').fill('000000')
await page.getByRole('button', { name: 'Verify', exact: true }).click()
console.log('wrong', await page.locator('.text-red').allTextContents())
await page.getByLabel('Verification code').fill(await codeInMailbox(server.url, email))
await page.getByRole('button', { name: 'Verify', exact: true }).click()
console.log(page.url(), await page.locator('h1').textContent())
await page.getByRole('link', { name: 'Go to Dashboard' }).click()
console.log(page.url(), await page.locator('h1').textContent())
// sign out
await page.evaluate(() => 0).catch(() => 0)
await context.clearCookies({ name: 'session' })
await page.goto(`${server.url}/sign-in`)
await page.getByLabel('Email').fill(email)
await page.getByRole('button', { name: 'Next' }).click()
console.log(page.url(), await page.locator('.text-red,[role=alert]').allTextContents())
await page.screenshot({ path: '/tmp/shots/nojs-otp.png' })
await page.getByLabel('OTP', { exact: true }).fill(await codeInMailbox(server.url, email))
await page.getByRole('button', { name: 'Verify', exact: true }).click()
console.log(page.url())
await browser.close()
await server.stop()
