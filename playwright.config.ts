import { defineConfig } from '@playwright/test'
import { launchOptions } from './tests/support/chromium.ts'

/**
 * Journeys whose steps are the same at both widths run at one: whole files by these lists, single tests of the other files by the tag
 * `@phone` or `@desktop`. `platform/everyPage` opens every route and main dialog at both. A new journey runs at both until it is put here.
 */
const ON_A_PHONE = [
  'access/password',
  'access/security',
  'deposits/deposit',
  'help/help',
  'identity/identity',
  'news/news',
  'orders/mainJob',
  'payments/unfit',
  'platform/budgets',
  'staking/rewards'
]
const ON_A_DESKTOP = [
  'access/editProfile',
  'access/plainForms',
  'activity/activity',
  'documents/documents',
  'euro/euro',
  'home/dashboard',
  'legal/terms',
  'orders/bonus',
  'referral/referral'
]
const files = (names: string[]) => names.map((name) => `**/${name}.spec.ts`)

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/e2eServer.ts',
  fullyParallel: true,
  // More than cores: a journey often waits for its page, a timer or a mail.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  reporter: process.env.CI
    ? [['line'], ['json', { outputFile: 'test-results/e2e.json' }]]
    : [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    launchOptions: launchOptions(),
    permissions: ['clipboard-read', 'clipboard-write'],
    // A trace of each step costs a third of the time: `npm run e2e -- --trace on FILE` where one is needed.
    trace: 'off',
    screenshot: 'only-on-failure'
  },
  projects: [
    {
      name: 'phone',
      testIgnore: files(ON_A_DESKTOP),
      grepInvert: /@desktop/,
      use: { viewport: { width: 390, height: 844 }, colorScheme: 'light' }
    },
    {
      name: 'desktop',
      testIgnore: files(ON_A_PHONE),
      grepInvert: /@phone/,
      use: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }
    }
  ]
})
