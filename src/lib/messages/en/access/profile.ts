/** The texts of the profile. */
export const profileTexts = {
  profileSaved: 'Your changes are saved.',
  settingsSaved: 'Your settings are saved.',
  emailCodesSent: 'Codes have been sent to both addresses.',
  emailChanged: 'Your email was changed.',
  sessionGone: 'The session was ended.',
  othersGone: 'All other sessions were ended.',
  signedOut: 'You are signed out.',
  reauthenticated: 'Thank you. You can continue.',
  totpDisabled: 'Your authenticator app was removed.',
  passkeyAdded: 'Your passkey was added.',
  passkeyRemoved: 'Your passkey was removed.',
  disavowed: 'All your sessions were ended, and withdrawals are locked.'
} as const

export const signInMethods = {
  sign_up: 'Signed up',
  otp: 'Signed in with a code',
  password: 'Signed in with a password',
  passkey: 'Signed in with a passkey'
} as const
