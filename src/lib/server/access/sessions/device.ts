import bowser from 'bowser'

/** Only the names on these lists go into mails: a caller can write anything into a user agent. */
const BROWSERS = new Set([
  'Chrome',
  'Chromium',
  'Firefox',
  'Safari',
  'Microsoft Edge',
  'Opera',
  'Opera Touch',
  'Vivaldi',
  'Samsung Internet for Android',
  'Android Browser',
  'UC Browser',
  'Yandex Browser',
  'DuckDuckGo'
])
const SYSTEMS = new Set(['Windows', 'macOS', 'Linux', 'Android', 'iOS', 'Chrome OS'])

/** Describes the device of a user agent for the customer: `Firefox on Windows`, or `Unknown device` if nothing in it is known. */
export function describeDevice(userAgent: string): string {
  if (userAgent.trim() === '') return 'Unknown device'
  const { browser, os } = bowser.parse(userAgent)
  const known = [BROWSERS.has(browser.name ?? '') && browser.name, SYSTEMS.has(os.name ?? '') && os.name].filter(Boolean)
  return known.join(' on ') || 'Unknown device'
}
