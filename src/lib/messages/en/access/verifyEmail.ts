/** The verification of the address after signing up. Source: spec sections 2 and 8. */
export const verifyEmailTexts = {
  toSignUp: 'Go to sign up',
  email: 'Email',
  sendCode: 'Send me a code',
  codeSentTo: 'We sent a 6-digit code to',
  enterInTime: 'Please enter it within 30 minutes.',
  code: 'Verification code',
  expired: 'The code has expired. Please request a new one.',
  timeLeft: 'Time left:',
  verifying: 'Verifying…',
  verify: 'Verify',
  sending: 'Sending…',
  resend: 'Resend code',
  nextCodeIn: (wait: string) => `You can get another code in ${wait}.`
} as const
