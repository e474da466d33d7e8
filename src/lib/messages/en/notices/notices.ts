/** The page that the bell opens. */
export const noticesTexts = {
  title: 'Notices',
  none: 'Nothing new yet',
  noneAbout: 'What changes at your account is listed here: sign-ins, payments, rewards.',
  isNew: 'New',
  older: 'Older',
  choose: 'Choose which of them come by mail'
} as const
