/** The short pages (not found, failed, coming soon), and the titles of pages that consist of an island. */
export const pagesTexts = {
  wallet: 'Wallet',
  profile: 'Profile',
  comingSoon: 'Coming soon',
  comingSoonAbout: 'We are working on this screen. Your balances and orders are in their usual place.',
  toDashboard: 'Go to Dashboard',
  notFound: 'Not found',
  notFoundTitle: 'This page does not exist',
  notFoundAbout: 'The address may be mistyped, or the page may have moved.',
  toStart: 'Go to homepage',
  failed: 'Something went wrong',
  failedTitle: 'An unexpected error occurred.',
  failedAbout: 'Nothing was changed. Please try again. If it happens again, tell us this number:',
  tryAgain: 'Try again',
  unavailableTitle: 'The service is unavailable at the moment.',
  unavailableAbout:
    'Nothing was changed, and what you hold is safe. Please try again in a moment. If it lasts, tell us this number:'
} as const
