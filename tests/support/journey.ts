/** Shared by the browser journeys: a page whose console must stay free of errors, a mailbox, a customer. */
import { randomUUID } from 'node:crypto'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import axe, { type RuleObject, type RunOptions } from 'axe-core'
import { codeInMailbox, decideIdentityAt, openSession, postJson, signUpAt } from './visitor.ts'

export { expect }

type Look = { forcedColours?: boolean | undefined; inBothThemes?: boolean | undefined }

export type Journey = {
  page: Page
  baseUrl: string
  /** The newest code in the mailbox of an address. */
  codeFor: (email: string) => Promise<string>
  /** Makes a new customer, verified by default, signed in and at the dashboard; returns the email address. */
  signUp: (options?: { unverified?: true }) => Promise<string>
  /** Signs up through the pages, up to the dashboard; returns the email address. */
  signUpByHand: () => Promise<string>
  /** The sandbox's identity check approves the customer whose dashboard is open. */
  approveIdentity: () => Promise<void>
  /** Another customer signs up with this code and orders a package; `id` is the order's. */
  invite: (referralCode: string) => Promise<{ email: string; id: string }>
  /** Opens the preview of the first PTC package, which makes an order; returns its id. */
  openPreview: (staking?: 0 | 12 | 24) => Promise<string>
  /** A payment for the order arrives at the bank, by the button `label` of the sandbox page. */
  pay: (orderId: string, label: string) => Promise<void>
  /** Goes from the open preview to the bank details: continue, accept all terms, continue. */
  toPayment: (tab?: Page) => Promise<void>
  /** Ends an account's sessions, or expires its codes or its last proof of identity, as only time would. */
  letTimePass: (email: string, what: 'sessions' | 'codes' | 'proof') => Promise<void>
  /**
   * Checks that axe finds nothing; with forced colours without contrast, because axe does not know them. `inBothThemes`: the
   * contrast of the other theme too, by the same page.
   */
  expectAccessible: (options?: Look) => Promise<void>
  /** The page is left and looked at again a minute later, by the clock that `page.clock.install()` put in. */
  comeBackAfterAMinute: () => Promise<void>
  /** Waits until every island of the tab (by default `page`) is hydrated. */
  hydrated: (tab?: Page) => Promise<void>
  /** Console errors that the journey provokes on purpose. */
  expectedErrors: RegExp[]
}

function watch(context: BrowserContext, found: string[]): void {
  const listen = (page: Page) => {
    page.on('console', (message) => {
      if (message.type() === 'error') found.push(`${page.url()}: ${message.text()}`)
    })
    page.on('pageerror', (error) => found.push(`${page.url()}: ${error.message}`))
  }
  for (const page of context.pages()) listen(page)
  context.on('page', listen)
}

/** Rules that judge colours: all that another theme can change. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Brings animations to their end, as long as there are any: colours in between are not what people read. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const endsByItself = (animation: Animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    const running = () =>
      document.getAnimations().filter((animation) => endsByItself(animation) && animation.playState !== 'finished')
    for (let left = running(); left.length > 0; left = running()) {
      for (const animation of left) animation.finish()
      await new Promise(requestAnimationFrame)
    }
  })
}

/**
 * Runs axe inside the page: a fifth of the time that the ready-made builder takes, which sends the whole library again for each look.
 * Behind a modal dialog the page is inert, which axe does not know.
 */
async function expectNothingFrom(page: Page, options: RunOptions): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  let found = await page.evaluate(lookWith, options)
  // An island that started meanwhile may have been in the middle of a change of colours: what is wrong at rest is found again.
  if (found.length > 0) {
    await settle(page)
    found = await page.evaluate(lookWith, options)
  }
  expect(found).toEqual([])
}

/** Runs inside the page. */
async function lookWith(options: RunOptions): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof import('axe-core') }
  const { violations } = await axe.run(document.querySelector('dialog:modal') ? 'dialog:modal' : document, options)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

async function expectAccessible(page: Page, { forcedColours, inBothThemes }: Look): Promise<void> {
  await settle(page)
  const rules: RuleObject = forcedColours ? { 'color-contrast': { enabled: false } } : {}
  await expectNothingFrom(page, { runOnly: { type: 'tag', values: STANDARDS }, rules, resultTypes: ['violations'] })
  if (!inBothThemes) return
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  await settle(page)
  await expectNothingFrom(page, { runOnly: { type: 'rule', values: COLOUR_RULES }, resultTypes: ['violations'] })
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
}

export const test = base.extend<{ journey: Journey }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  baseURL: async ({}, use) => use(process.env.BASE_URL ?? ''),
  journey: async ({ page, context, baseURL }, use) => {
    const found: string[] = []
    const baseUrl = baseURL ?? ''
    watch(context, found)
    const journey: Journey = {
      page,
      baseUrl,
      expectedErrors: [],
      hydrated: (tab = page) => expect(tab.locator('astro-island[ssr]')).toHaveCount(0),
      codeFor: (email) => codeInMailbox(baseUrl, email),
      signUp: async ({ unverified } = {}) => {
        const visitor = await signUpAt(baseUrl, { unverified })
        // Leave the open page first: a page for signed-out visitors would redirect to the dashboard by itself.
        await page.goto('about:blank')
        await openSession(context, baseUrl, visitor)
        await page.goto('/dashboard')
        return visitor.email
      },
      signUpByHand: async () => {
        const email = `${randomUUID()}@example.com`
        await page.goto('/sign-up')
        await page.getByLabel('Email').fill(email)
        await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
        await page.getByLabel('Phone number').fill('+43 660 1234567')
        await page.getByRole('button', { name: 'Create Account' }).click()
        await page.waitForURL('**/sign-up-verify')
        await page.getByLabel('Verification code').fill(await codeInMailbox(baseUrl, email))
        await page.getByRole('button', { name: 'Verify', exact: true }).click()
        await page.waitForURL('**/dashboard')
        return email
      },
      approveIdentity: async () => {
        // Wait until the page has its link: after the approval, that request would be refused.
        await page.getByRole('link', { name: 'Verify now!' }).waitFor()
        const token = await page.evaluate(() => JSON.parse(localStorage.getItem('auth-storage') ?? '{}').token)
        await decideIdentityAt(baseUrl, token)
      },
      invite: async (referralCode) => {
        const { email, token } = await signUpAt(baseUrl, { referralCode })
        const { data } = await (await postJson(baseUrl, '/orders/combo', { comboConfigId: 19, bankAccountId: 1 }, token)).json()
        return { email, id: data.id }
      },
      openPreview: async (staking = 0) => {
        await page.goto(`/package-detail/82/preview?token=PTC&staking=${staking}`)
        await page.waitForURL(/order=RF\d{14}/)
        return new URL(page.url()).searchParams.get('order') ?? ''
      },
      pay: async (orderId, label) => {
        const bank = await context.newPage()
        await bank.goto('/sandbox')
        await bank.locator(`[data-transfer="${orderId}"]`).getByRole('button', { name: label, exact: true }).click()
        await bank.waitForURL('**/sandbox#bank')
        await bank.close()
      },
      toPayment: async (tab = page) => {
        await tab.getByRole('button', { name: 'Continue', exact: true }).click()
        for (const box of await tab.getByRole('checkbox').all()) await box.check()
        await tab.getByRole('button', { name: 'Continue to payment' }).click()
        await tab.getByRole('button', { name: 'Payment Confirmed' }).waitFor()
      },
      letTimePass: async (email, time) => {
        const answer = await page.request.post('/sandbox', {
          form: { email, time },
          headers: { origin: baseUrl },
          maxRedirects: 0
        })
        expect(answer.headers().location).toBe('/sandbox#time')
      },
      comeBackAfterAMinute: async () => {
        const look = (hidden: boolean) =>
          page.evaluate((isHidden) => {
            Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
            Object.defineProperty(document, 'visibilityState', {
              configurable: true,
              get: () => (isHidden ? 'hidden' : 'visible')
            })
            document.dispatchEvent(new Event('visibilitychange'))
          }, hidden)
        await look(true)
        await page.clock.fastForward(61_000)
        await look(false)
      },
      expectAccessible: ({ forcedColours, inBothThemes } = {}) => expectAccessible(page, { forcedColours, inBothThemes })
    }
    await use(journey)
    const unexpected = found.filter((text) => !journey.expectedErrors.some((expected) => expected.test(text)))
    expect(unexpected, 'errors in the console').toEqual([])
  }
})
