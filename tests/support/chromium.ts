/** Finds the Chromium for the browser tests. */
import { accessSync, constants } from 'node:fs'
import { chromium } from '@playwright/test'

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
]

function exists(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of a Chromium: that of CHROMIUM_PATH, Playwright's own (undefined: it knows where), or the system's. */
function chromiumPath(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  if (exists(chromium.executablePath())) return undefined
  return SYSTEM_PATHS.find(exists)
}

export function hasChromium(): boolean {
  return chromiumPath() !== undefined || exists(chromium.executablePath())
}

/** How every tool of ours starts Chromium: `chromium.launch(launchOptions())`. */
export function launchOptions(): { args: string[]; executablePath?: string } {
  const executablePath = chromiumPath()
  return {
    // As root Chromium needs no-sandbox; the others keep it from looking for hosts that a test has no business with.
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic'
    ],
    ...(executablePath && { executablePath })
  }
}
