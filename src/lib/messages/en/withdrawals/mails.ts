import { type Link, mail } from '../platform/mailParts.ts'

type WithdrawalFacts = { amount: string; received: string; address: string; link: string }

export const withdrawalsMails = {
  withdrawalConfirm: ({ amount, received, address, link }: WithdrawalFacts) =>
    mail(`Please confirm your withdrawal of ${amount}`, [
      'You requested a withdrawal to an address you have not used before. We will send it only after you confirm it.',
      {
        facts: [
          ['Amount', amount],
          ['Received', received],
          ['To', address]
        ]
      },
      'Compare the address with the original. Once sent, a transfer cannot be reversed. The link works for 24 hours. If you do not use it, the withdrawal is cancelled.',
      { link, label: 'Confirm or cancel' },
      'If you did not request this, press the button and cancel. Then set a new password.'
    ]),
  withdrawalRequested: ({ amount, received, address, isReviewed, link }: WithdrawalFacts & { isReviewed: boolean }) =>
    mail(`You requested a withdrawal of ${amount}`, [
      {
        facts: [
          ['Amount', amount],
          ['Received', received],
          ['To', address]
        ]
      },
      isReviewed
        ? 'A withdrawal of this size is approved by someone on our team within 24 hours. You can cancel it until then.'
        : 'It will be sent in a few minutes. You can cancel it until then.',
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
    mail(kind === 'rejected' ? `We did not approve your withdrawal of ${amount}` : `Your withdrawal of ${amount} was returned`, [
      kind === 'rejected'
        ? why
        : kind === 'given_back'
          ? why === 'undone'
            ? 'The recipient’s contract refused it. The attempt cost a network fee, so our fee is not refunded.'
            : 'The network did not carry it out. Nothing was sent, and nothing is lost.'
          : 'It was cancelled before it was sent.',
      {
        facts: [
          ['Amount', amount],
          ['To', address]
        ]
      },
      why === 'undone' ? 'The rest is back in your wallet.' : 'The full amount is back where it came from.',
      { link, label: 'View withdrawals' }
    ]),
  limitAsked: ({ limit, due, link }: { limit: string; due: string; link: string }) =>
    mail('You asked for a higher limit', [
      `You asked to withdraw up to ${limit} within 24 hours. We answer by ${due}.`,
      { link, label: 'View your limit' },
      'If this was not you, set a new password and write to us.'
    ]),
  limitRaised: ({ limit, until, link }: { limit: string; until: string; link: string }) =>
    mail('Your limit was raised', [
      `You can withdraw up to ${limit} within 24 hours, until ${until}. After that, the usual limit counts again.`,
      { link, label: 'View your limit' },
      'If you did not ask for this, set a new password and write to us.'
    ]),
  limitRefused: ({ why, link }: { why: string; link: string }) =>
    mail('Your limit stays as it is', [why, { link, label: 'View your limit' }]),
  addressListed: ({ address, link }: { address: string; link: string }) =>
    mail('An address was added to your whitelist', [
      { facts: [['Address', address]] },
      'You can use it in 24 hours. If this was not you, remove it and set a new password.',
      { link, label: 'View addresses' }
    ]),
  whitelistEnding: ({ link }: Link) =>
    mail('Your whitelist switches off in 24 hours', [
      'After that, withdrawals can go to any address again. If this was not you, switch it on again and set a new password.',
      { link, label: 'View addresses' }
    ])
}
