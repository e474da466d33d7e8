/** The settings of a customer on the profile. */
import type { MutableGroup, Theme } from '#lib/domain/access/settings.ts'

export const settingsTexts = {
  title: 'Settings',
  look: 'Look and figures',
  theme: 'Theme',
  themeAbout: 'In this browser.',
  themes: { system: 'As on the device', light: 'Light', dark: 'Dark' } satisfies Record<Theme, string>,
  currency: 'Values in',
  currencyAbout: 'Packages keep their price in dollars, transfers in euro.',
  timeZone: 'Time zone',
  deviceZone: 'That of the device',
  save: 'Save',
  saveMails: 'Save e-mails',
  failed: 'The settings could not be saved. Please try again.',
  mails: 'E-mails',
  mailsAbout: 'Everything also stands in your notices. Security, withdrawals, payments and legal matters always come by e-mail.',
  groups: {
    identity: 'Identity check',
    orders: 'Orders that you announced',
    rewards: 'Rewards'
  } satisfies Record<MutableGroup, string>
} as const
