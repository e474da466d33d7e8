/** Which Chromium the browser tests use. */
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
export function chromiumPath(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  if (exists(chromium.executablePath())) return undefined
  return SYSTEM_PATHS.find(exists)
}

export function hasChromium(): boolean {
  return chromiumPath() !== undefined || exists(chromium.executablePath())
}
