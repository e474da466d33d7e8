/** The mails that the product sends. */
import { layOutMail, type MailText } from './mailLayout.ts'

const IGNORE = 'If this was not you, you can ignore this mail: nothing happens without the code.'

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
  passwordChanged: () =>
    layOutMail('Your password was changed', [
      'The password of your account was changed. All sessions were ended, and withdrawals rest for 24 hours.',
      'If this was not you, reset your password at once: whoever changed it needed a code from this mailbox.'
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
