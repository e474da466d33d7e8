/** The page that the bell opens. */
export const noticesTexts = {
  title: 'Notices',
  none: 'Nothing new yet',
  noneAbout: 'Account activity will appear here: sign-ins, payments, rewards.',
  isNew: 'New',
  filter: 'Notices',
  all: 'All',
  onlyNew: 'New',
  readAll: 'Mark all as read',
  allRead: 'You have read everything',
  allReadAbout: 'New notices will appear here.',
  older: 'Older',
  choose: 'Choose which ones we email you'
} as const
