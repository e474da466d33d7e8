/** The mails that the product sends. */
import { formatExactMoment } from '../format/dates.ts'
import { layOutMail, type MailBlock, type MailText } from './mailLayout.ts'

const IGNORE = 'If this was not you, you can ignore this mail: nothing happens without the code.'

/** For whoever it was not: a link that ends every session and locks withdrawals. */
function notMe(link: string): MailBlock[] {
  return [
    'If this was not you, press this: it ends all your sessions, locks withdrawals, and takes back what was added since: passkeys, an authenticator app, another address.',
    { link, label: 'This wasn’t me' }
  ]
}

export const mails = {
  signUpCode: (code: string) =>
    layOutMail(`${code} is your verification code`, [
      'Welcome. Enter this code to verify your email address:',
      { code },
      'It is valid for 30 minutes. We never ask for it by phone or chat.',
      IGNORE
    ]),
  alreadyRegistered: () =>
    layOutMail('You already have an account', [
      'Somebody, probably you, tried to sign up with this address. It has an account already: please sign in instead.',
      'If this was not you, there is nothing to do.'
    ]),
  signInCode: (code: string) =>
    layOutMail(`${code} is your sign-in code`, [
      'Enter this code to sign in:',
      { code },
      'It is valid for 30 minutes. We never ask for it by phone or chat.',
      IGNORE
    ]),
  resetCode: (code: string) =>
    layOutMail(`${code} is your code to reset the password`, [
      'Enter this code to set your new password:',
      { code },
      'It is valid for 30 minutes. After the change all your sessions end, and withdrawals rest for 24 hours.',
      IGNORE
    ]),
  passwordChanged: (link: string) =>
    layOutMail('Your password was changed', [
      'The password of your account was changed. All sessions were ended, and withdrawals rest for 24 hours.',
      ...notMe(link),
      'Then reset your password and secure this mailbox: whoever changed it needed a code from here.'
    ]),
  newSignIn: ({ device, address, at, link }: { device: string; address: string; at: Date; link: string }) =>
    layOutMail('New sign-in to your account', [
      'Somebody, probably you, has just signed in to your account.',
      {
        facts: [
          ['Device', device],
          ['Address', address],
          ['Time', `${formatExactMoment(at.toISOString())} UTC`]
        ]
      },
      ...notMe(link)
    ]),
  disavowed: () =>
    layOutMail('Your account is secured', [
      'You told us that somebody else used your account. All sessions were ended, and withdrawals are locked.',
      'Your password is worth nothing any more: sign in with a code, or set a new one under "Forgot your password?". A new one opens withdrawals again, 24 hours later. Please look through your passkeys and your authenticator app on your profile too, and make new recovery codes: the old ones are worth nothing.'
    ]),
  confirmCode: (code: string) =>
    layOutMail(`${code} is your code to confirm that it is you`, [
      'Enter this code to go on with a change to the security of your account:',
      { code },
      'It is valid for 30 minutes. We never ask for it by phone or chat.',
      'If you are not changing anything, somebody else is signed in to your account: end their session on your profile.'
    ]),
  leaveEmailCode: (code: string, email: string) =>
    layOutMail(`${code} is your code to change your email`, [
      `Your account is about to move to ${email}. Enter this code to agree:`,
      { code },
      'It is valid for 30 minutes. If this was not you, do not enter it, and end unknown sessions on your profile.'
    ]),
  takeEmailCode: (code: string) =>
    layOutMail(`${code} is your code to confirm your new email`, [
      'Enter this code to make this the address of your account:',
      { code },
      'It is valid for 30 minutes.',
      IGNORE
    ]),
  emailChanged: (email: string, link: string) =>
    layOutMail('Your email was changed', [`The address of your account is ${email} now.`, ...notMe(link)]),
  totpEnabled: (link: string) =>
    layOutMail('Authenticator app added', ['From now on, signing in asks for a code of your authenticator app.', ...notMe(link)]),
  totpDisabled: (link: string) =>
    layOutMail('Authenticator app removed', [
      'Signing in asks for no second code any more.',
      ...notMe(link),
      'Then add the app again on your profile.'
    ]),
  recoveryCodesRenewed: (link: string) =>
    layOutMail('New recovery codes', [
      'New recovery codes were made for your account: the old ones are worth nothing now.',
      ...notMe(link)
    ]),
  passkeyAdded: (name: string, link: string) =>
    layOutMail('Passkey added', [`The passkey "${name}" can now sign in to your account.`, ...notMe(link)]),
  passkeyRemoved: (name: string, link: string) =>
    layOutMail('Passkey removed', [
      `The passkey "${name}" cannot sign in to your account any more.`,
      ...notMe(link),
      'Then add it again on your profile.'
    ]),
  identityVerified: () =>
    layOutMail('Your identity is verified', ['The identity check is completed: everything is open to you now.']),
  identityRejected: () =>
    layOutMail('Your identity check was not passed', [
      'The identity check could not be completed. If you think that this is wrong, please answer this mail.'
    ]),
  identityRetry: () =>
    layOutMail('Your identity check needs something from you', [
      'Something was unreadable or missing. Please open the check from your profile and hand it in again.'
    ]),
  orderCompleted: ({
    orderId,
    tokens,
    price,
    staking
  }: {
    orderId: string
    tokens: string
    price: string
    staking: string | undefined
  }): MailText =>
    layOutMail(`Your order ${orderId} is completed`, [
      'Your payment has arrived, and the tokens are yours.',
      {
        facts: [
          ['Order ID', orderId],
          ['Tokens', tokens],
          ['Token price', price]
        ]
      },
      ...(staking ? [staking] : []),
      'You find the order with every figure under Transaction History.'
    ])
}
