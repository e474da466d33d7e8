import type { DepositNote } from '#lib/domain/deposits/deposit.ts'
import { mail } from '../platform/mailParts.ts'
import { depositNoteTexts } from './notes.ts'

type Kept = { amount: string; note: DepositNote; smallest: string; missing?: string | undefined; link: string }

export const depositsMails = {
  depositCredited: ({ amount, link }: { amount: string; link: string }) =>
    mail(`Your deposit of ${amount} has been credited`, [
      `${amount} has arrived and is in your spot balance.`,
      { link, label: 'View deposits' }
    ]),
  depositKept: ({ amount, note, smallest, missing, link }: Kept) =>
    mail(depositNoteTexts[note].title(amount), [
      depositNoteTexts[note].about(smallest, missing),
      { link, label: 'View deposits' }
    ]),
  depositsCreditedTogether: ({ amount, count, link }: { amount: string; count: number; link: string }) =>
    mail(`${amount} from ${count} small deposits has been credited`, [
      `Your small deposits add up to ${amount}, which is in your spot balance.`,
      { link, label: 'View deposits' }
    ]),
  depositReverted: ({ amount, isOwed, link }: { amount: string; isOwed: boolean; link: string }) =>
    mail(`The network reversed your deposit of ${amount}`, [
      'The network removed the block your deposit was in, so we had to take back the credit. This is rare, and the network usually includes the transfer again. It is then credited again automatically.',
      ...(isOwed
        ? [
            'You had already used part of it. Withdrawals are paused until the transfer is confirmed again. Please reply to this email if you have a question.'
          ]
        : []),
      { link, label: 'View deposits' }
    ])
}
