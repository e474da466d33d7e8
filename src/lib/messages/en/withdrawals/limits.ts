/** The page of one's own limit. */
export const limitTexts = {
  title: 'Your withdrawal limit',
  about: (day: string) => `You can withdraw up to ${day} within 24 hours.`,
  used: (used: string) => `${used} of it is used.`,
  raised: (until: string) => `It was raised until ${until}. After that, the usual limit counts again.`,
  askTitle: 'Ask for a higher limit',
  askAbout: (hours: number, most: string) => `We answer by email within ${hours} hours. We can raise it to ${most} at most.`,
  none: 'Limits cannot be raised at the moment.',
  amount: 'Limit for 24 hours, in USD',
  why: 'What you need it for',
  whyHint: 'For example: I am moving my savings to a wallet of my own.',
  send: 'Ask',
  waits: (limit: string, due: string) => `You asked for ${limit}. We answer by ${due}.`,
  refused: (limit: string) => `You asked for ${limit}. We could not raise it:`,
  amountWrong: 'Please enter an amount in whole dollars.',
  whyRequired: 'Please say what you need it for.'
} as const
