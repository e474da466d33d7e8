import type { CaseState } from '#lib/domain/help/message.ts'

/** Help: the answers, their search, and the message to support. */
export const helpTexts = {
  title: 'Help',
  about: 'Answers to common questions, step by step.',
  search: 'Search the answers',
  searchNow: 'Search',
  results: (count: number, words: string) => (count === 1 ? `1 answer for “${words}”` : `${count} answers for “${words}”`),
  none: (words: string) => `No answers contain “${words}”`,
  noneAbout: 'Try other words, or write to us.',
  all: 'All answers',
  back: 'Help',
  more: 'More about this',
  write: 'Write to support',
  writeAbout: 'Still need help? We reply by email.',
  contactTitle: 'Write to support',
  email: 'Your email',
  message: 'Your message',
  messageHint: 'Never send us a password or a code: we do not need them.',
  context: 'Sent with your message',
  contextAbout: 'It helps us see what you see. Nothing else is sent.',
  send: 'Send',
  sent: 'Your message is on its way',
  sentAbout: (number: string, email: string) => `Its number is ${number}. We will reply to ${email}.`,
  cases: 'Your messages',
  caseOf: (number: string, opened: string) => `${number}, ${opened}`,
  caseStates: {
    open: 'We are looking at it',
    answered: 'Answered',
    closed: 'Closed'
  } satisfies Record<CaseState, string>,
  from: { you: 'You', support: 'Support' },
  reply: 'Your reply',
  sendReply: 'Send the reply',
  sentReply: (number: string) => `Your reply was added to ${number}. We will answer by email and on this page.`,
  messageRequired: 'Please write your message.',
  labels: {
    account: 'Account',
    page: 'Page',
    order: 'Order ID',
    answer: 'Answer',
    zone: 'Time zone',
    browser: 'Browser'
  }
} as const
