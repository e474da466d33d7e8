/** The texts of signing in with a password and of setting a new one. Source: spec sections 2, 5 and 8. */
export const passwordTexts = {
  checkEmail: 'Please check your email to get the verification code',
  passwordWrong: 'Your email or password is incorrect. Please try again.',
  noEmail: 'Invalid navigation: no email provided.',
  enterEmail: 'Please enter your email',
  enterNewPassword: 'Please enter your new password',
  resetMailFailed: 'Failed to send verification email',
  verificationFailed: 'Verification failed',
  resetNotice: 'Withdrawals and some services may be temporarily disabled after a password change.'
} as const
