/** The page that the bell opens. */
export const noticesTexts = {
  title: 'Notices',
  none: 'Nothing new yet',
  noneAbout: 'Account activity will appear here: sign-ins, payments, rewards.',
  isNew: 'New',
  older: 'Older',
  choose: 'Choose which ones we email you'
} as const
