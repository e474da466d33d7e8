/** The customer's referral code and link, on the referral page and the profile. Source: spec section 2. */
export const referralTexts = {
  yourCode: 'Your referral code',
  code: 'referral code',
  link: 'referral link',
  share: 'Share'
} as const
