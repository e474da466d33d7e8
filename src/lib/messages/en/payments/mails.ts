import type { UnfitReason } from '#lib/domain/orders/order.ts'
import { mail, view } from '../platform/mailParts.ts'
import { unfitTexts } from './unfit.ts'

type TopUp = { orderId: string; received: string; missing: string; until: string; link: string }
type PaymentUnfit = { orderId: string; reason: UnfitReason; received: string; expected: string; until: string; link: string }
/** `account`: where the money goes; missing in mails that an earlier version stored. */
type PaymentRefunded = { orderId: string; received: string; why: string; link: string; account?: 'its own' | 'named' }

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
  paymentRefunded: ({ orderId, received, why, link, account = 'its own' }: PaymentRefunded) =>
    mail(`We are sending ${received} back to you`, [
      `Your payment of ${received} for order ${orderId} is going back to ${account === 'named' ? 'the account that you named' : 'the account it came from'}. It will arrive within 3 business days.`,
      `Reason: ${why}`,
      { link, label: 'View order' }
    ]),
  paymentTopUp: ({ orderId, received, missing, until, link }: TopUp) =>
    mail(`Please send ${missing} more for order ${orderId}`, [
      `We received ${received} for this order. It costs ${missing} more.`,
      `Please transfer exactly ${missing} with the same reference, ${orderId}, so that it arrives by ${until}. Both payments together then pay the order.`,
      'If you do not want the order any more, reply to this email: we send your payment back.',
      { link, label: 'View order' }
    ]),
  refundReturned: ({ orderId, amount }: { orderId: string; amount: string }) =>
    mail(`Your bank refused our refund of ${amount}`, [
      `We sent your payment for order ${orderId} back, but your bank refused it. The money is with us.`,
      'Please reply to this email and name an account in your own name, with a document of your bank that shows it.'
    ]),
  paymentReturned: ({ orderId, link }: { orderId: string; link?: string }) =>
    mail(`The payment for your order ${orderId} was reversed`, [
      'Your bank reversed the payment for this order after the tokens were credited.',
      'Withdrawals are paused until we have checked it. Please reply to this email if you think this is wrong.',
      ...view(link)
    ])
}
