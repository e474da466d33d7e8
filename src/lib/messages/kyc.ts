/** What asks for the identity check. Source: spec section 2. */
export const kycTexts = {
  required: 'You need to complete KYC verification to access all platform features and ensure compliance with regulations.',
  verified: 'Your information is verified.',
  begin: 'It takes a few minutes and a document.'
} as const

/** What each status asks of the customer. */
export const kycAdvice: Record<string, string> = {
  pending: 'Your documents are being looked at.',
  onHold: 'Your documents are being looked at once more.',
  retry: 'Something was unreadable or missing: please hand it in again.',
  rejected: 'The check was not passed. If you think that this is wrong, answer the mail that told you.'
}
