import { defineConfig } from '@playwright/test'
import { chromiumPath } from './tests/support/chromium.ts'

const executablePath = chromiumPath()
/** As root Chromium needs no-sandbox; the others keep it from looking for hosts that a test has no business with. */
const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic'
]

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
    launchOptions: { args, ...(executablePath && { executablePath }) },
    permissions: ['clipboard-read', 'clipboard-write'],
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure'
  },
  projects: [
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, colorScheme: 'light' } },
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' } }
  ]
})
