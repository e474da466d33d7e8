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
      `Your payment of ${received} for the order ${orderId} goes back to the account that it came from. It arrives within 3 business days.`,
      `The reason: ${why}`,
      { link, label: 'View order' }
    ]),
  paymentReturned: ({ orderId, link }: { orderId: string; link?: string }) =>
    mail(`The payment of your order ${orderId} was taken back`, [
      'Your bank took back the payment of this order after the tokens were credited.',
      'Withdrawals wait until we have looked at it. Please answer this mail if you think that this is wrong.',
      ...view(link)
    ])
}
