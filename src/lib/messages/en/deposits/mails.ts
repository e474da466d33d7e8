import type { DepositNote } from '#lib/domain/deposits/deposit.ts'
import { mail } from '../platform/mailParts.ts'
import { depositNoteTexts } from './notes.ts'

export const depositsMails = {
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
    ])
}
