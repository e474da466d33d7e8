/** What asks for the identity check. Source: spec section 2. */
export const kycTexts = {
  required: 'You need to complete KYC verification to access all platform features and ensure compliance with regulations.',
  verified: 'Your information is verified.'
} as const
