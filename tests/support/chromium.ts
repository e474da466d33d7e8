/** Finds the Chromium for the browser tests. */
import { accessSync, constants } from 'node:fs'
import { chromium } from '@playwright/test'

/** The one without a window first: it needs a fifth less of the machine. */
const SYSTEM_PATHS = [
  '/usr/bin/chromium-headless-shell',
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

/** The path of Chromium: CHROMIUM_PATH, or the system's. Undefined: Playwright's own, if installed, or none was found. */
function chromiumPath(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  if (exists(chromium.executablePath())) return undefined
  return SYSTEM_PATHS.find(exists)
}

/** True if the Chromium is one without windows, or one that somebody chose. */
export function hasShell(): boolean {
  const path = chromiumPath()
  return path === undefined
    ? exists(chromium.executablePath())
    : path === process.env.CHROMIUM_PATH || path.endsWith('headless-shell')
}

export function hasChromium(): boolean {
  return chromiumPath() !== undefined || exists(chromium.executablePath())
}

/** All our tools start Chromium with `chromium.launch(launchOptions())`. */
export function launchOptions(): { args: string[]; executablePath?: string } {
  const executablePath = chromiumPath()
  return {
    // Root needs --no-sandbox; the other flags stop Chromium from contacting hosts in the background.
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
