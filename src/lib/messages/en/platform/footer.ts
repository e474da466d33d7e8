/** The footer of every page: the company, the legal pages, and the system status. */
export const footerTexts = {
  label: 'Company and legal',
  help: 'Help',
  terms: 'Terms of Service',
  custody: 'Custody Policy',
  privacy: 'Privacy Policy',
  status: {
    works: 'Status: all systems work',
    prices: 'Status: prices are not up to date at the moment',
    delayed: 'Status: e-mails and payments are delayed'
  }
} as const
