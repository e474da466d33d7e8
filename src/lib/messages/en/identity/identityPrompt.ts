/** The badge of the identity check and the prompt next to it. Source: spec section 4. */
export const identityPromptTexts = {
  badges: { Verified: 'Verified', Pending: 'Pending', 'Not Verified': 'Not Verified' },
  tryAgain: 'Try again',
  verify: 'Verify now!',
  newTab: '(opens in a new tab)'
} as const
