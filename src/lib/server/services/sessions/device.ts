import bowser from 'bowser'

/** What a customer calls the device of a user agent: `Firefox on Windows`; `Unknown device` where it says nothing. */
export function describeDevice(userAgent: string): string {
  if (userAgent.trim() === '') return 'Unknown device'
  const { browser, os } = bowser.parse(userAgent)
  return [browser.name, os.name].filter(Boolean).join(' on ') || 'Unknown device'
}
