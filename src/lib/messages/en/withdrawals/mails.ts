import { type Link, mail } from '../platform/mailParts.ts'

type WithdrawalFacts = { amount: string; received: string; address: string; link: string }

export const withdrawalsMails = {
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
    ])
}
