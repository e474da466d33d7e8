/** Pages adapt to small and zoomed windows, forced colours, and reduced motion. */
import { expect, type Journey, test } from '#support/journey.ts'
import { enterPromoCode, tokenOf } from '#support/trading.ts'

const SIGNED_OUT = [
  '/sign-in',
  '/sign-up',
  '/sign-up-verify',
  '/sandbox',
  '/verify',
  '/legal/terms-of-service',
  '/help',
  '/help/contact',
  '/sandbox/news',
  '/nothing'
]
const SIGNED_IN = [
  '/dashboard',
  '/buy-package',
  '/buy-package/bonus',
  '/package-detail/CPC',
  '/package-detail/PTC',
  '/package-detail/83/preview',
  '/package-history',
  '/coming-soon',
  '/token-list',
  '/token-list?all',
  '/token/PTC',
  '/activity',
  '/notices',
  '/statement/PTC?account=staked',
  '/profile',
  '/referral',
  '/staking',
  '/rewards',
  '/news',
  '/news/how-statements-work',
  '/euro',
  '/euro-list',
  '/euro-withdraw',
  '/euro-history',
  '/not-me?token=x'
]

async function expectNothingSideways({ page }: Journey, what: string): Promise<void> {
  const widest = await page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return undefined
    const elements = [...document.body.querySelectorAll('*')]
    return elements.find((element) => element.getBoundingClientRect().right > clientWidth)?.outerHTML.slice(0, 160) ?? 'something'
  })
  expect(widest, `${what} scrolls sideways because of`).toBeUndefined()
}

async function eachPage(journey: Journey, look: (path: string) => Promise<void>): Promise<void> {
  journey.expectedErrors.push(/status of 404/)
  for (const path of SIGNED_OUT) await look(path)
  await journey.signUp()
  await enterPromoCode(journey, await tokenOf(journey))
  const orderId = await journey.openPreview(24)
  await journey.pay(orderId, 'Payment arrives')
  for (const path of [...SIGNED_IN, `/package-history?order=${orderId}`]) await look(path)
}

test('nothing scrolls sideways at 320 px, with room to spare for wider letters', { tag: '@phone' }, async ({ journey }) => {
  await journey.page.setViewportSize({ width: 308, height: 640 })
  await eachPage(journey, async (path) => {
    await journey.page.goto(path)
    await expectNothingSideways(journey, path)
  })
})

test('the largest package keeps its figures inside its cards on the smallest phone', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  await page.setViewportSize({ width: 308, height: 640 })
  await journey.signUp()
  await page.goto('/package-detail/106/preview?token=PTC')
  await expect(page.getByText('55,555,555.555').first()).toBeVisible()
  const outside = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main .figure')]
      .filter((figure) => figure.checkVisibility())
      .filter(
        (figure) => figure.getBoundingClientRect().right > (figure.closest('.card, .hero')?.getBoundingClientRect().right ?? 0)
      )
      .map((figure) => figure.textContent)
  )
  expect(outside).toEqual([])
})

test('at 200 % zoom nothing scrolls sideways', async ({ journey }) => {
  const { page } = journey
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 }
  await eachPage(journey, async (path) => {
    // A zoom of 200 % halves the window in CSS pixels; a phone is not tested below 320.
    await page.setViewportSize({ width: Math.max(320, width / 2), height: height / 2 })
    await page.goto(path)
    await expectNothingSideways(journey, path)
  })
})

test('with forced colours every control and the current page can be recognized', { tag: '@desktop' }, async ({ journey }) => {
  const { page } = journey
  await page.emulateMedia({ forcedColors: 'active' })
  await eachPage(journey, async (path) => {
    await page.goto(path)
    const invisible = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.button, .input, .card, .hero, .dialog[open]')]
        .filter((element) => element.checkVisibility())
        .filter((element) => {
          const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(element)
          return borderTopWidth === '0px' || borderTopStyle === 'none' || borderTopColor === backgroundColor
        })
        .map((element) => element.outerHTML.slice(0, 120))
    )
    expect(invisible, `${path}: without a visible edge`).toEqual([])
  })
  await page.goto('/dashboard')
  const current = page.locator('nav [aria-current=page]').filter({ visible: true })
  if (await current.isVisible()) await expect(current).toHaveCSS('outline-style', 'solid')
  await journey.expectAccessible({ forcedColours: true })
})

test('reduced motion stops all animations', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/sign-up')
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')]
        .map((element) => getComputedStyle(element))
        .filter(({ transitionDuration, animationDuration }) =>
          [transitionDuration, animationDuration].some((list) => list.split(',').some((one) => Number.parseFloat(one) > 0.001))
        ).length
  )
  expect(moving).toBe(0)
})

test('the accessibility tree of the main screens says what they are', async ({ journey }) => {
  const { page } = journey
  await page.goto('/sign-in')
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - link "CP Wallet"
      - heading "Log in" [level=1]
      - heading "Sign in with OTP" [level=2]
      - text: Email
      - button "Why OTP?"
      - textbox "Email"
      - button "Next"
      - paragraph:
        - text: New here?
        - link "Create an account"
  `)
  await journey.signUp()
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading /Good day/ [level=1]
      - region "Total money you have (USD)":
        - heading "Total money you have (USD)" [level=2]
      - heading "Staking (USD)" [level=2]
      - heading "Rewards" [level=2]
      - heading "Portfolio" [level=2]
      - table "Your tokens with balance, value and unit price"
      - region "Projects":
        - heading "Projects" [level=2]
  `)
  const orderId = await journey.openPreview(12)
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - link "Buy PTC"
      - heading "Preview PTC 1,000" [level=1]
      - list "Steps of the purchase":
        - listitem: Review
        - listitem: Accept
        - listitem: Pay
        - listitem: Waiting
      - region "You Pay EURO":
        - heading "You Pay EURO" [level=2]
        - button "Continue"
      - region "PTC 1,000"
  `)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - group "Please read and accept all three before you pay.":
        - checkbox "I accept the Crypto Asset Terms"
        - checkbox "I accept the Custody Terms"
        - checkbox "I accept the Staking Program Terms"
      - button "Continue to payment" [disabled]
  `)
  await page.goto('/package-history')
  const table = page.getByRole('table', { name: 'Your orders, newest first' })
  await expect(table.getByRole('row').filter({ hasText: 'Pending' })).toHaveCount(1)
  await expect(table.getByRole('rowheader')).toContainText('PTC 1,000')
  await expect(page.getByRole('link', { name: `View order ${orderId.replace(/(.{4})(?=.)/g, '$1 ')}` })).toBeVisible()
})
