/** The texts that ask for the identity check. Source: spec section 2. */
export const identityTexts = {
  verified: 'Your information is verified.',
  begin: 'It takes a few minutes and a document.'
} as const

/** What each status means for the customer, and what they can do. */
export const identityAdvice: Record<string, string> = {
  pending: 'We are looking at your documents.',
  onHold: 'We are looking at your documents once more.',
  retry: 'Something was unreadable or missing. Please send it again.',
  rejected: 'The check was not passed. If you think that this is wrong, please answer the mail about it.'
}
