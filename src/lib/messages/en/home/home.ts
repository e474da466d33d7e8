/** The page of the dashboard around its figures, and the projects below them. Source: spec section 2. */
export const homeTexts = {
  title: 'Dashboard',
  greeting: (name: string | null) => (name ? `Good day, ${name}` : 'Good day'),
  card: 'Sally Card',
  comingSoon: 'Coming soon',
  cardAbout: 'A card that pays with what is in your wallet.',
  apps: 'Download the app',
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
