/** Deposits that are not credited: the reasons, for the list and the mail. */
import type { DepositNote } from '#lib/domain/deposits/deposit.ts'

/** `missing`: what a small deposit still lacks, e.g. `4 USDC`; undefined if it does not count towards the smallest one. */
type Words = { label: string; title: (amount: string) => string; about: (smallest: string, missing?: string) => string }

export const depositNoteTexts: Record<DepositNote, Words> = {
  small: {
    label: 'Too small',
    title: (amount) => `Your deposit of ${amount} is too small to be credited yet`,
    about: (smallest, missing) =>
      missing
        ? `The smallest deposit is ${smallest}. It is kept for you: once ${missing} more has arrived at the same address, all of it is credited together.`
        : `The smallest deposit is ${smallest}. This amount costs more to move on the network than it is worth, so it is kept but does not count towards it.`
  },
  unsupported: {
    label: 'Not supported',
    title: () => 'You sent a token that we do not support',
    about: () =>
      'It arrived at your address, but we cannot credit it. It is kept for you: please reply to one of our emails, and we will tell you what can be done.'
  },
  unproven: {
    label: 'Being checked',
    title: (amount) => `We are checking your deposit of ${amount}`,
    about: () =>
      'It arrived, and our team checks it before it is credited. There is nothing for you to do. We will email you within one business day.'
  },
  unassigned: {
    label: 'Being checked',
    title: (amount) => `We are checking a deposit of ${amount}`,
    about: () => 'It arrived, and our team checks it before it is credited.'
  },
  decided: {
    label: 'Looked at',
    title: (amount) => `Our team has looked at your deposit of ${amount}`,
    about: () =>
      'It arrived in a way that we could not see at first, and our team has already decided about it. If something is missing, please reply to one of our emails.'
  },
  reorganised: {
    label: 'Removed by the network',
    title: (amount) => `The network removed your deposit of ${amount}`,
    about: () =>
      'The network removed the block it was in. When the transfer is included again, it is credited again automatically.'
  }
}
