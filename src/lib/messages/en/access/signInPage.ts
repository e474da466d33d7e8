/** The sign-in with a code, and the choice of other methods. Source: spec sections 2, 4 and 8. */
export const signInPageTexts = {
  welcome: 'Welcome to the app',
  backToWebsite: 'Back to the website',
  backToStart: 'Back to the start',
  title: 'Sign in with OTP',
  email: 'Email',
  sending: 'Sending…',
  next: 'Next',
  or: 'or',
  usePassword: 'Use your password',
  waitingForPasskey: 'Waiting for your passkey…',
  usePasskey: 'Use a passkey',
  otp: 'OTP',
  checking: 'Checking the code…',
  codeSent: 'We sent a 6-digit code to your email. It is valid for 30 minutes.',
  verifying: 'Verifying…',
  verify: 'Verify',
  resend: 'Resend OTP',
  nextCodeIn: (wait: string) => `You can get another code in ${wait}.`,
  loading: 'Loading',
  whyOtp: 'Why OTP?',
  whyOtpAbout: 'E-mail OTP verification was introduced to simplify login: no password to remember, a fresh code each time.'
} as const
