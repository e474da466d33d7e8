import { formatMoment } from '#lib/format/dates.ts'
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
      'Someone, probably you, tried to sign up with this email. It already has an account: please sign in instead.',
      'If this was not you, you do not need to do anything.'
    ]),
  signInCode: ({ code }: Code) => mail(`${code} is your sign-in code`, ['Enter this code to sign in:', { code }, VALID, IGNORE]),
  resetCode: ({ code }: Code) =>
    mail(`${code} is your code to reset your password`, [
      'Enter this code to set your new password:',
      { code },
      'It is valid for 30 minutes. After the change, all your sessions end and withdrawals are paused for 24 hours.',
      IGNORE
    ]),
  accountHeld: ({ why, until }: { why: string; until: string }) =>
    mail('Your withdrawals are on hold', [
      `We are looking at your account: ${why}`,
      `Until ${until}, or earlier if we are done, nothing can be withdrawn or traded. Your balances stay as they are.`
    ]),
  holdReleased: ({ since }: { since: string }) =>
    mail('Your withdrawals are no longer on hold', [
      `They were on hold since ${since}. We have looked at your account: you can withdraw and trade again.`
    ]),
  passwordChanged: ({ link }: Link) =>
    mail('Your password was changed', [
      'Your account password was changed. All sessions were ended, and withdrawals are paused for 24 hours.',
      ...notMe(link),
      'Then reset your password and secure this inbox: the change needed a code that was sent here.'
    ]),
  newSignIn: ({ device, address, at, link }: { device: string; address: string; at: string; link: string }) =>
    mail('New sign-in to your account', [
      `Someone, probably you, has just signed in with ${device}.`,
      {
        facts: [
          ['Device', device],
          ['Address', address],
          ['Time', `${formatMoment(at)} UTC`]
        ]
      },
      ...notMe(link)
    ]),
  disavowed: (_: Record<string, never>) =>
    mail('Your account is secured', [
      'You told us that someone else used your account. We ended all sessions and locked withdrawals.',
      'Your password no longer works. Sign in with a code, or set a new password under "Forgot your password?". A new password unlocks withdrawals after 24 hours. Please check your passkeys and authenticator app on your profile, and create new recovery codes: the old ones no longer work.'
    ]),
  reauthenticationCode: ({ code }: Code) =>
    mail(`${code} is your code to confirm that it’s you`, [
      'Enter this code to continue with a change to your account security:',
      { code },
      VALID,
      'If you are not changing anything, someone else is signed in to your account. End their session on your profile.'
    ]),
  leaveEmailCode: ({ code, email }: { code: string; email: string }) =>
    mail(`${code} is your code to change your email`, [
      `Your account’s email is about to change to ${email}. Enter this code to agree:`,
      { code },
      'It is valid for 30 minutes. If this was not you, do not enter it, and end any unknown sessions on your profile.'
    ]),
  takeEmailCode: ({ code }: Code) =>
    mail(`${code} is your code to confirm your new email`, [
      'Enter this code to use this email for your account:',
      { code },
      'It is valid for 30 minutes.',
      IGNORE
    ]),
  emailChanged: ({ email, link }: { email: string; link: string }) =>
    mail('Your email was changed', [`Your account’s email is now ${email}. ${REST}`, ...notMe(link)]),
  totpEnabled: ({ link, isReplaced = false }: Link & { isReplaced?: boolean }) =>
    mail('Authenticator app added', [
      `From now on, you need a code from your authenticator app to sign in.${isReplaced ? ` It takes the place of the one you had. ${REST}` : ''}`,
      ...notMe(link)
    ]),
  totpDisabled: ({ link }: Link) =>
    mail('Authenticator app removed', [
      `You no longer need a second code to sign in. ${REST}`,
      ...notMe(link),
      'Then add the app again on your profile.'
    ]),
  recoveryCodesRenewed: ({ link }: Link) =>
    mail('New recovery codes', [
      `New recovery codes were created for your account. The old ones no longer work. ${REST}`,
      ...notMe(link)
    ]),
  passkeyAdded: ({ name, link }: { name: string; link: string }) =>
    mail('Passkey added', [`You can now sign in to your account with the passkey "${name}". ${REST}`, ...notMe(link)]),
  passkeyRemoved: ({ name, link }: { name: string; link: string }) =>
    mail('Passkey removed', [
      `You can no longer sign in to your account with the passkey "${name}".`,
      ...notMe(link),
      'Then add it again on your profile.'
    ])
}
