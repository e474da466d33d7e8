/** Shown instead of a page that needs a completed identity check. Source: spec section 2. */
export const identityPageTexts = {
  heading: 'KYC Verification Required',
  required: 'You need to complete KYC verification to access all platform features and ensure compliance with regulations.',
  tryAgain: 'Try again',
  link: 'the verification link',
  copy: 'Copy',
  loading: 'Loading the link',
  linkAbout: 'The link works for a short time and is renewed here. This page opens once your check is complete.',
  verify: 'Verify Now',
  newTab: '(opens in a new tab)'
} as const
