import { formatExactMoment } from '#lib/format/dates.ts'
import { IGNORE, type Link, mail, notMe, REST, VALID } from '../platform/mailParts.ts'

type Code = { code: string }

export const accessMails = {
  signUpCode: ({ code }: Code) =>
    mail(`${code} is your verification code`, [
      'Welcome. Enter this code to verify your email address:',
      { code },
      VALID,
      IGNORE
    ]),
  alreadyRegistered: (_: Record<string, never>) =>
    mail('You already have an account', [
      'Somebody, probably you, tried to sign up with this address. It already has an account: please sign in instead.',
      'If this was not you, there is nothing to do.'
    ]),
  signInCode: ({ code }: Code) => mail(`${code} is your sign-in code`, ['Enter this code to sign in:', { code }, VALID, IGNORE]),
  resetCode: ({ code }: Code) =>
    mail(`${code} is your code to reset the password`, [
      'Enter this code to set your new password:',
      { code },
      'It is valid for 30 minutes. After the change all your sessions end, and withdrawals rest for 24 hours.',
      IGNORE
    ]),
  passwordChanged: ({ link }: Link) =>
    mail('Your password was changed', [
      'The password of your account was changed. All sessions were ended, and withdrawals rest for 24 hours.',
      ...notMe(link),
      'Then reset your password and secure this mailbox: the change needed a code that was sent here.'
    ]),
  newSignIn: ({ device, address, at, link }: { device: string; address: string; at: string; link: string }) =>
    mail('New sign-in to your account', [
      'Somebody, probably you, has just signed in to your account.',
      {
        facts: [
          ['Device', device],
          ['Address', address],
          ['Time', `${formatExactMoment(at)} UTC`]
        ]
      },
      ...notMe(link)
    ]),
  disavowed: (_: Record<string, never>) =>
    mail('Your account is secured', [
      'You said that somebody else used your account. All sessions were ended, and withdrawals are locked.',
      'Your password no longer works. Sign in with a code, or set a new password under "Forgot your password?". A new password opens withdrawals again after 24 hours. Please check your passkeys and your authenticator app on your profile, and make new recovery codes: the old ones no longer work.'
    ]),
  reauthenticationCode: ({ code }: Code) =>
    mail(`${code} is your code to confirm that it is you`, [
      'Enter this code to go on with a change to the security of your account:',
      { code },
      VALID,
      'If you are not changing anything, somebody else is signed in to your account. End their session on your profile.'
    ]),
  leaveEmailCode: ({ code, email }: { code: string; email: string }) =>
    mail(`${code} is your code to change your email`, [
      `Your account is about to move to ${email}. Enter this code to agree:`,
      { code },
      'It is valid for 30 minutes. If this was not you, do not enter it, and end unknown sessions on your profile.'
    ]),
  takeEmailCode: ({ code }: Code) =>
    mail(`${code} is your code to confirm your new email`, [
      'Enter this code to make this the address of your account:',
      { code },
      'It is valid for 30 minutes.',
      IGNORE
    ]),
  emailChanged: ({ email, link }: { email: string; link: string }) =>
    mail('Your email was changed', [`The address of your account is now ${email}. ${REST}`, ...notMe(link)]),
  totpEnabled: ({ link }: Link) =>
    mail('Authenticator app added', ['From now on, signing in asks for a code of your authenticator app.', ...notMe(link)]),
  totpDisabled: ({ link }: Link) =>
    mail('Authenticator app removed', [
      `Signing in no longer asks for a second code. ${REST}`,
      ...notMe(link),
      'Then add the app again on your profile.'
    ]),
  recoveryCodesRenewed: ({ link }: Link) =>
    mail('New recovery codes', ['New recovery codes were made for your account. The old ones no longer work.', ...notMe(link)]),
  passkeyAdded: ({ name, link }: { name: string; link: string }) =>
    mail('Passkey added', [`The passkey "${name}" can now sign in to your account. ${REST}`, ...notMe(link)]),
  passkeyRemoved: ({ name, link }: { name: string; link: string }) =>
    mail('Passkey removed', [
      `The passkey "${name}" can no longer sign in to your account.`,
      ...notMe(link),
      'Then add it again on your profile.'
    ])
}
