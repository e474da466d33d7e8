/** The footer of every page: the company, the legal pages, and the system status. */
export const footerTexts = {
  label: 'Company and legal',
  help: 'Help',
  terms: 'Terms of Service',
  custody: 'Custody Policy',
  privacy: 'Privacy Policy',
  status: {
    works: 'Status: all systems normal',
    prices: 'Status: prices are currently out of date',
    delayed: 'Status: emails and payments are delayed',
    unavailable: 'Status: unavailable at the moment'
  }
} as const
