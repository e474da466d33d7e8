import { defineConfig } from '@playwright/test'
import { launchOptions } from './tests/support/chromium.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/e2eServer.ts',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  reporter: process.env.CI
    ? [['line'], ['json', { outputFile: 'test-results/e2e.json' }]]
    : [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    launchOptions: launchOptions(),
    permissions: ['clipboard-read', 'clipboard-write'],
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure'
  },
  projects: [
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, colorScheme: 'light' } },
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' } }
  ]
})
