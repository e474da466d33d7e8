/** The mails that the product sends, by name. Their parameters are plain JSON: a job keeps them until the mail is sent. */
import type { DepositNote } from '#lib/domain/deposits/deposit.ts'
import type { ContextKind } from '#lib/domain/help/message.ts'
import type { UnfitReason } from '#lib/domain/orders/order.ts'
import { formatExactMoment } from '#lib/format/dates.ts'
import type { MailBlock, MailContent } from '../../mail.ts'
import { depositNoteTexts } from '../deposits/notes.ts'
import { helpTexts } from '../help/help.ts'
import { unfitTexts } from '../payments/unfit.ts'

const IGNORE = 'If this was not you, you can ignore this mail: nothing happens without the code.'
const VALID = 'It is valid for 30 minutes. We never ask for it by phone or chat.'

const REST = 'Withdrawals and trades rest for 24 hours.'

/** A link that ends every session and locks the account. */
function notMe(link: string): MailBlock[] {
  return [
    'If this was not you, press this button. It ends all your sessions, locks withdrawals, and undoes what was added since: passkeys, an authenticator app, another address.',
    { link, label: 'This wasn’t me' }
  ]
}

/** Mails that an earlier version wrote down have no link. */
function view(link: string | undefined): MailBlock[] {
  return link ? [{ link, label: 'View order' }] : []
}

function mail(title: string, blocks: MailBlock[]): MailContent {
  return { title, blocks }
}

type Code = { code: string }
type Link = { link: string }
/** `notMe`: the link for the case that somebody else did it. */
type TradeFacts = { amount: string; price: string; by: string; link: string; notMe: string }

type SupportFacts = {
  number: string
  email: string
  userId: string | null
  message: string
  context: { kind: ContextKind; value: string }[]
}
type StakingFacts = { orderId: string; amount: string; link: string }

export const mails = {
  /** To our own support; the answer goes to the sender. */
  supportMessage: ({ number, email, userId, message, context }: SupportFacts) => ({
    ...mail(`[${number}] Message of ${userId ? 'a customer' : 'a visitor, not signed in'}`, [
      {
        facts: [
          [userId ? 'From' : 'From, not checked', email],
          ...(userId ? [['Customer', userId] as [string, string]] : []),
          ...context.map(({ kind, value }): [string, string] => [helpTexts.labels[kind], value])
        ]
      },
      ...message.split(/\n\s*\n/)
    ]),
    replyTo: email
  }),
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
    ]),
  identityVerified: (_: Record<string, never>) =>
    mail('Your identity is verified', ['The identity check is completed. Everything is open to you now.']),
  identityRejected: (_: Record<string, never>) =>
    mail('Your identity check was not passed', [
      'The identity check could not be completed. If you think that this is wrong, please answer this mail.'
    ]),
  identityRetry: (_: Record<string, never>) =>
    mail('Your identity check needs something from you', [
      'Something was unreadable or missing. Please open the check from your profile and send it again.'
    ]),
  orderCompleted: ({ orderId, tokens, price, staking, bonus, link }: OrderCompleted) =>
    mail(`Your order ${orderId} is completed`, [
      'Your payment has arrived, and the tokens are yours.',
      {
        facts: [
          ['Order ID', orderId],
          ['Tokens', tokens],
          ['Token price', price]
        ]
      },
      ...(staking ? [`They are staked for ${staking.months} months at ${staking.rate} a year, until ${staking.until}.`] : []),
      ...(bonus
        ? [
            `Your bonus of ${bonus.tokens} is locked for 12 months. Then 5% of it is released each month, from ${bonus.from} to ${bonus.until}.`
          ]
        : []),
      ...view(link)
    ]),
  orderAnnounced: ({ orderId, euro, link }: { orderId: string; euro: string; link: string }) =>
    mail(`We are watching for ${euro}`, [
      `You told us that you made the transfer for your order ${orderId}. Thank you: there is nothing more for you to do.`,
      'A Sepa Instant transfer takes up to 2 hours, a regular one up to 3 business days. We write again when it has arrived.',
      { link, label: 'View order' }
    ]),
  paymentUnfit: ({ orderId, reason, received, expected, until, link }: PaymentUnfit) =>
    mail(unfitTexts.title(received, expected), [
      `${unfitTexts.reasons[reason]} ${unfitTexts.kept}`,
      {
        facts: [
          ['Order ID', orderId],
          ['Received', received],
          ['Expected', expected]
        ]
      },
      `${unfitTexts.next(until)} ${unfitTexts.nothingToDo}`,
      { link, label: 'View order' }
    ]),
  paymentRefunded: ({ orderId, received, why, link }: { orderId: string; received: string; why: string; link: string }) =>
    mail(`We are sending ${received} back to you`, [
      `Your payment of ${received} for the order ${orderId} goes back to the account that it came from. It arrives within 3 business days.`,
      `The reason: ${why}`,
      { link, label: 'View order' }
    ]),
  rewardBooked: ({ tokens, of, link }: { tokens: string; of: string; link: string }) =>
    mail(`You got a reward of ${tokens}`, [
      `Somebody whom you invited has bought a package. You get 5% of ${of}: ${tokens}.`,
      'It is yours at once. Move it to spot whenever you like.',
      { link, label: 'View rewards' }
    ]),
  stakingRewarded: ({ amount, link }: StakingFacts) =>
    mail(`Your staking paid ${amount}`, [
      `The reward of a quarter, ${amount}, is in your rewards. Move it to spot whenever you like.`,
      { link, label: 'View staking' }
    ]),
  stakingReturned: ({ amount, link }: StakingFacts) =>
    mail(`Your ${amount} are free again`, [
      `The term of your staking is over. ${amount} are in your spot balance.`,
      { link, label: 'View staking' }
    ]),
  bonusReleased: ({ amount, link }: StakingFacts) =>
    mail(`${amount} of your bonus are released`, [
      `${amount} of your bonus are in your spot balance.`,
      { link, label: 'View staking' }
    ]),
  statementReady: ({ period, link }: { period: string; link: string }) =>
    mail(`Your statement ${period} is ready`, [
      'It has your holdings at the start and the end of the quarter, and every movement, as PDF and as a file for spreadsheets.',
      'You find it on your profile. We send no attachments.',
      { link, label: 'View documents' }
    ]),
  taxReportReady: ({ period, link }: { period: string; link: string }) =>
    mail(`Your tax report ${period} is ready`, [
      'It has your acquisitions, rewards and disposals of the year with their values.',
      'You find it on your profile. We send no attachments.',
      { link, label: 'View documents' }
    ]),
  depositCredited: ({ amount, link }: { amount: string; link: string }) =>
    mail(`Your deposit of ${amount} is credited`, [
      `${amount} arrived and is yours now. It is in your spot balance.`,
      { link, label: 'View deposits' }
    ]),
  depositKept: ({ amount, note, smallest, link }: { amount: string; note: DepositNote; smallest: string; link: string }) =>
    mail(depositNoteTexts[note].title(amount), [depositNoteTexts[note].about(smallest), { link, label: 'View deposits' }]),
  depositReverted: ({ amount, isOwed, link }: { amount: string; isOwed: boolean; link: string }) =>
    mail(`The network took back your deposit of ${amount}`, [
      'The network removed the block that your deposit was in, so we had to take it back. This happens rarely, and the network usually includes the transfer again: then it is credited again by itself.',
      ...(isOwed
        ? [
            'A part of it had been used already. Until the transfer is included again, withdrawals wait. Please answer this mail if you have a question.'
          ]
        : []),
      { link, label: 'View deposits' }
    ]),
  withdrawalConfirm: ({ amount, received, address, link }: WithdrawalFacts) =>
    mail(`Please confirm your withdrawal of ${amount}`, [
      'You asked for a withdrawal to an address that you have not used before. It is sent only after you confirm it.',
      {
        facts: [
          ['Amount', amount],
          ['Received', received],
          ['To', address]
        ]
      },
      'Compare the address with the original. Once sent, a transfer cannot be taken back. The link works for 24 hours; without it the withdrawal is cancelled.',
      { link, label: 'Confirm or cancel' },
      'If you did not ask for this, press the button and cancel. Then set a new password.'
    ]),
  withdrawalRequested: ({ amount, received, address, isReviewed, link }: WithdrawalFacts & { isReviewed: boolean }) =>
    mail(`You asked for a withdrawal of ${amount}`, [
      {
        facts: [
          ['Amount', amount],
          ['Received', received],
          ['To', address]
        ]
      },
      isReviewed
        ? 'A withdrawal of this size is approved by one of us, within 24 hours. You can cancel it until then.'
        : 'It is sent in a few minutes. You can cancel it until it is sent.',
      { link, label: 'View withdrawals' }
    ]),
  withdrawalSent: ({ amount, received, address, link }: WithdrawalFacts) =>
    mail(`Your withdrawal of ${amount} has arrived`, [
      {
        facts: [
          ['Received', received],
          ['To', address]
        ]
      },
      'The network has confirmed it.',
      { link, label: 'View withdrawals' }
    ]),
  withdrawalReturned: ({ amount, address, kind, why, link }: WithdrawalFacts & { kind: string; why: string }) =>
    mail(
      kind === 'rejected' ? `We did not approve your withdrawal of ${amount}` : `Your withdrawal of ${amount} is yours again`,
      [
        kind === 'rejected'
          ? why
          : kind === 'given_back'
            ? why === 'undone'
              ? 'The receiver’s contract refused it. Trying cost what the network takes, so our fee is not given back.'
              : 'The network did not carry it out. Nothing was sent, and nothing is lost.'
            : 'It was cancelled before it was sent.',
        {
          facts: [
            ['Amount', amount],
            ['To', address]
          ]
        },
        why === 'undone' ? 'The rest is yours again.' : 'The whole amount is back where it came from.',
        { link, label: 'View withdrawals' }
      ]
    ),
  p2pListed: ({ amount, price, link, notMe: notMeLink }: Omit<TradeFacts, 'by'>) =>
    mail(`You sell ${amount}`, [
      {
        facts: [
          ['For sale', amount],
          ['Price', price]
        ]
      },
      'It is frozen until it is sold, cancelled or has ended.',
      { link, label: 'View orders' },
      ...notMe(notMeLink)
    ]),
  p2pSold: ({
    amount,
    price,
    by,
    received,
    fee,
    rest,
    link,
    notMe: notMeLink
  }: TradeFacts & { received: string; fee: string; rest: string }) =>
    mail(`You sold ${amount}`, [
      {
        facts: [
          ['Sold', amount],
          ['Price', price],
          ['Buyer', by],
          ['Fee', fee],
          ['Received', received],
          ['Still for sale', rest]
        ]
      },
      'What you received is in your funding balance.',
      { link, label: 'View trades' },
      ...notMe(notMeLink)
    ]),
  p2pBought: ({ amount, price, by, paid, link, notMe: notMeLink }: TradeFacts & { paid: string }) =>
    mail(`You bought ${amount}`, [
      {
        facts: [
          ['Bought', amount],
          ['Price', price],
          ['Seller', by],
          ['Paid', paid]
        ]
      },
      'What you bought is in your funding balance.',
      { link, label: 'View trades' },
      ...notMe(notMeLink)
    ]),
  p2pEnding: ({ rest, endsAt, link }: { rest: string; endsAt: string; link: string }) =>
    mail('Your sell order ends within a day', [
      {
        facts: [
          ['Not sold yet', rest],
          ['Ends (UTC)', formatExactMoment(endsAt)]
        ]
      },
      'What is not sold by then goes back to your funding balance. You can list it again.',
      { link, label: 'View orders' }
    ]),
  p2pEnded: ({ rest, why, link }: { rest: string; why: 'expired' | 'secured' | 'lapsed'; link: string }) =>
    mail('Your sell order has ended', [
      why === 'expired'
        ? 'Its time is over.'
        : why === 'secured'
          ? 'Somebody may have used your account, so that we cancelled your open orders.'
          : 'We must look at your account first, or your identity check is no longer valid.',
      { facts: [['Not sold', rest]] },
      'It is back in your funding balance.',
      { link, label: 'View trades' }
    ]),
  addressListed: ({ address, link }: { address: string; link: string }) =>
    mail('An address was added to your whitelist', [
      { facts: [['Address', address]] },
      'It can be used in 24 hours. If this was not you, remove it and set a new password.',
      { link, label: 'View addresses' }
    ]),
  whitelistEnding: ({ link }: Link) =>
    mail('Your whitelist ends in 24 hours', [
      'Then withdrawals may go to any address again. If this was not you, switch it on again and set a new password.',
      { link, label: 'View addresses' }
    ]),
  paymentReturned: ({ orderId, link }: { orderId: string; link?: string }) =>
    mail(`The payment of your order ${orderId} was taken back`, [
      'Your bank took back the payment of this order after the tokens were credited.',
      'Withdrawals wait until we have looked at it. Please answer this mail if you think that this is wrong.',
      ...view(link)
    ])
}

type WithdrawalFacts = { amount: string; received: string; address: string; link: string }

/** Figures are already formatted for the customer. */
type OrderCompleted = {
  orderId: string
  tokens: string
  price: string
  staking?: { months: number; rate: string; until: string } | undefined
  bonus?: { tokens: string; from: string; until: string } | undefined
  link?: string
}

type PaymentUnfit = { orderId: string; reason: UnfitReason; received: string; expected: string; until: string; link: string }

/** What every mail ends with. */
export const mailFooter = (brand: string) => `You get this mail because it concerns your account at ${brand}.`
