/** The card of what a customer has to do next, or waits for. */
import type { HOLD_REASONS } from '#lib/domain/access/withdrawalGate.ts'

export const nextTexts = {
  title: 'Next',
  more: (count: number) => `${count} more`,
  check: (received: string, name: string, by: string) => `${received} arrived for ${name}. We check it and email you by ${by}.`,
  checkAct: 'See the payment',
  hold: {
    locked: 'Your account is locked',
    held: 'Withdrawals are paused',
    resting: 'Withdrawals are paused',
    not_verified: 'Verify your identity'
  } satisfies Record<(typeof HOLD_REASONS)[number], string>,
  holdAct: 'See why',
  pay: (euro: string) => `Pay ${euro}`,
  payAbout: (name: string, until: string) => `${name}, until ${until}`,
  payAct: 'See how to pay',
  confirm: (amount: string) => `Confirm the withdrawal of ${amount}`,
  confirmAbout: 'We sent you an email: press its link. Otherwise the withdrawal is cancelled after 24 hours.',
  confirmAct: 'See the withdrawal',
  sender: (amount: string) => `Who sent your deposit of ${amount}?`,
  senderAbout: 'Above EUR 1,000, the law requires us to ask. Withdrawals are paused until you answer.',
  senderAct: 'Answer',
  verify: 'Verify your identity',
  verifyAct: 'Verify Now',
  order: (euro: string) => `We are waiting for ${euro}`,
  orderAbout: (name: string) => `For ${name}`,
  orderAct: 'See the order',
  withdrawal: (amount: string) => `${amount} is on its way out`,
  withdrawalAct: 'See the withdrawal',
  deposit: (amount: string) => `${amount} is arriving`,
  depositAbout: (seen: number, needed: number) => `${seen} of ${needed} confirmations. There is nothing for you to do.`,
  depositAct: 'See the deposit',
  payout: (amount: string) => `Payout of ${amount}`,
  payoutAbout: (day: string, days: number) =>
    days < 0 ? `Was due on ${day}` : days === 0 ? `${day}, today` : `${day}, in ${days} ${days === 1 ? 'day' : 'days'}`,
  payoutAct: 'See the calendar'
} as const
