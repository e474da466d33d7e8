/** The settings of a customer on the profile. */
import type { MutableGroup, Theme } from '#lib/domain/access/settings.ts'

export const settingsTexts = {
  title: 'Settings',
  look: 'Display',
  theme: 'Theme',
  themeAbout: 'For this browser.',
  themes: { system: 'Same as device', light: 'Light', dark: 'Dark' } satisfies Record<Theme, string>,
  currency: 'Values in',
  currencyAbout: 'Package prices stay in dollars, transfers in euro.',
  timeZone: 'Time zone',
  deviceZone: 'Same as device',
  saved: 'Saved',
  save: 'Save',
  saveMails: 'Save choices',
  failed: 'The settings could not be saved. Please try again.',
  mails: 'Emails',
  mailsAbout:
    'Everything also appears in your notices. We always email you about security, withdrawals, payments and legal matters.',
  groups: {
    identity: 'Identity check',
    orders: 'Transfers on their way',
    rewards: 'Rewards',
    weekly: 'Your week, every Monday'
  } satisfies Record<MutableGroup, string>
} as const
