import bowser from 'bowser'

/** What is not on these lists may be anything that somebody wrote: it goes into no mail. */
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

/** What a customer calls the device of a user agent: `Firefox on Windows`; `Unknown device` where it says nothing known. */
export function describeDevice(userAgent: string): string {
  if (userAgent.trim() === '') return 'Unknown device'
  const { browser, os } = bowser.parse(userAgent)
  const known = [BROWSERS.has(browser.name ?? '') && browser.name, SYSTEMS.has(os.name ?? '') && os.name].filter(Boolean)
  return known.join(' on ') || 'Unknown device'
}
