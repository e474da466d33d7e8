/** The page behind the "This wasn't me" link of a mail. */
export const notMeTexts = {
  title: 'Was this not you?',
  invalid: 'This link is not valid any more.',
  invalidAbout: 'Sign in and look at your devices on your profile, or set a new password.',
  toSignIn: 'Go to sign in',
  secured: 'Your account is secured',
  securedAbout:
    'Your password and your recovery codes are worth nothing any more. Passkeys, an authenticator app or another address that came in the days since the mail are gone again.',
  choose: 'Now set a new password: choose',
  usePassword: 'Use your password',
  andThen: 'and then',
  forgotPassword: 'Forgot your password?',
  opensAgain: 'It opens withdrawals again, 24 hours later.',
  setPassword: 'Set a new password',
  failed: 'That did not work just now. Please press the button again in a moment.',
  about:
    'If somebody else signed in to your account or changed it, press the button. It ends all your sessions, on every device, makes your password worthless, takes back passkeys, an authenticator app or another address that came since, and locks withdrawals until you set a new password.',
  secure: 'This wasn’t me: secure my account',
  wasMe: 'It was me'
} as const
