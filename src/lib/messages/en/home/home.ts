/** The dashboard page around its figures, and the projects below them. Source: spec section 2. */
export const homeTexts = {
  title: 'Dashboard',
  greeting: (name: string | null) => (name ? `Good day, ${name}` : 'Good day'),
  currency: 'Values in',
  kyc: 'KYC status',
  iban: 'Sepa Euro IBAN (vIBAN)',
  comingSoon: 'Coming soon',
  apps: 'Download the app',
  appStore: 'App Store',
  playStore: 'Play Store',
  buyToken: (token: string) => `Buy ${token}`,
  qrCode: (store: string) => `QR code: ${store}`,
  newTab: '(opens in a new tab)',
  projects: 'Projects',
  close: 'Close',
  drawing: (project: string) => `${project}: drawing`,
  learnMore: 'Learn more',
  learnMoreOf: (project: string) => `about ${project} (opens in a new tab)`,
  telegram: 'Telegram business card',
  telegramOf: (project: string) => `of ${project} (opens in a new tab)`
} as const
