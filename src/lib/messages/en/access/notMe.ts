/** The page behind the "This wasn't me" link of a mail. */
export const notMeTexts = {
  title: 'Wasn’t this you?',
  invalid: 'This link is no longer valid.',
  invalidAbout: 'Sign in and check your devices on your profile, or set a new password.',
  toSignIn: 'Go to sign in',
  secured: 'Your account is secured',
  securedAbout:
    'Your password and recovery codes no longer work. Any passkey, authenticator app or new email address added in the days since our email has been removed.',
  choose: 'Now set a new password: choose',
  usePassword: 'Use your password',
  andThen: 'and then',
  forgotPassword: 'Forgot your password?',
  opensAgain: 'This unlocks withdrawals 24 hours later.',
  setPassword: 'Set a new password',
  failed: 'That did not work. Please press the button again in a moment.',
  about:
    'If someone else signed in to your account or changed it, press the button. It ends all your sessions on every device, disables your password, removes any passkey, authenticator app or new email address added since, and locks withdrawals until you set a new password.',
  secure: 'This wasn’t me: secure my account',
  wasMe: 'It was me'
} as const
