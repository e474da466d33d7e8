/** The texts that ask for the identity check. Source: spec section 2. */
export const identityTexts = {
  verified: 'Your information is verified.',
  begin: 'It takes a few minutes. You need an ID document.'
} as const

/** What each status means for the customer, and what they can do. */
export const identityAdvice: Record<string, string> = {
  pending: 'We are reviewing your documents.',
  onHold: 'We are reviewing your documents again.',
  retry: 'Something was unreadable or missing. Please send it again.',
  rejected: 'Your check was not successful. If you think this is wrong, please reply to our email about it.'
}
