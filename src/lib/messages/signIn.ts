/** What the further ways of signing in say. Source: spec section 8. */
export const signInTexts = {
  passwordWrong: 'Your email or password is incorrect. Please try again.',
  loginFailed: 'Login failed. Please check your credentials and try again.',
  noEmail: 'Invalid navigation: no email provided.',
  enterEmail: 'Please enter your email',
  enterNewPassword: 'Please enter your new password',
  resetMailFailed: 'Failed to send verification email',
  verificationFailed: 'Verification failed',
  resetNotice: 'Withdrawals and some services may be temporarily disabled after a password change.',
  noPasskeys: 'This browser knows no passkeys. Please choose another way.',
  passkeyFailed: 'This passkey could not be used. Please sign in another way.'
} as const
