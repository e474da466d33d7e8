/** The page behind the link that switches off a mail. */
export const mailsOffTexts = {
  title: 'Stop this mail?',
  about: 'Press the button, and the mail no longer comes. Mails about security, payments and withdrawals still come.',
  stop: 'Stop this mail',
  keep: 'Keep it',
  off: 'This mail no longer comes.',
  again: 'You can switch it on again in your settings.',
  settings: 'Go to settings',
  invalid: 'This link is not valid.',
  invalidAbout: 'Sign in, and choose in your settings which mails you get.',
  failed: 'That did not work. Please press the button again in a moment.'
} as const
