/** The page that the bell opens. */
import type { NoticeArea } from '#lib/domain/notices/kinds.ts'

export const noticesTexts = {
  title: 'Notices',
  none: 'Nothing new yet',
  noneAbout: 'Account activity will appear here: sign-ins, payments, rewards.',
  isNew: 'New',
  filter: 'Notices',
  all: 'All',
  onlyNew: 'New',
  areas: { money: 'Money', security: 'Security' } satisfies Record<NoticeArea, string>,
  noneOf: 'Nothing of this kind yet',
  readAll: 'Mark all as read',
  allRead: 'You have read everything',
  allReadAbout: 'New notices will appear here.',
  older: 'Older',
  choose: 'Choose which ones we email you'
} as const
