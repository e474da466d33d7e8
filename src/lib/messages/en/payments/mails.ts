import type { UnfitReason } from '#lib/domain/orders/order.ts'
import { mail, view } from '../platform/mailParts.ts'
import { unfitTexts } from './unfit.ts'

type PaymentUnfit = { orderId: string; reason: UnfitReason; received: string; expected: string; until: string; link: string }

export const paymentsMails = {
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
      `Your payment of ${received} for order ${orderId} is going back to the account it came from. It will arrive within 3 business days.`,
      `Reason: ${why}`,
      { link, label: 'View order' }
    ]),
  paymentReturned: ({ orderId, link }: { orderId: string; link?: string }) =>
    mail(`The payment for your order ${orderId} was reversed`, [
      'Your bank reversed the payment for this order after the tokens were credited.',
      'Withdrawals are paused until we have checked it. Please reply to this email if you think this is wrong.',
      ...view(link)
    ])
}
