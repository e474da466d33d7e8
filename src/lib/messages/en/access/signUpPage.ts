/** The sign-up form. Source: spec sections 2 and 5. */
export const signUpPageTexts = {
  email: 'Email',
  password: 'Password',
  passwordHint: 'At least 8 characters.',
  phone: 'Phone number',
  phoneExample: '+43 660 1234567',
  referralCode: 'Referral code (optional)',
  agree: 'By creating an account you agree to the',
  termsOfService: 'Terms of Service',
  the: 'the',
  custodyPolicy: 'Custody Policy',
  andThe: 'and the',
  privacyPolicy: 'Privacy Policy',
  newTab: '(opens in a new tab)',
  creating: 'Creating…',
  create: 'Create Account'
} as const
