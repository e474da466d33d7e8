/** The foot of every page: who runs the product, the legal pages, and whether everything works. */
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
