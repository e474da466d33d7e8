import { mail, view } from '../platform/mailParts.ts'

/** Figures are already formatted for the customer. */
type OrderCompleted = {
  orderId: string
  tokens: string
  price: string
  staking?: { months: number; rate: string; until: string } | undefined
  bonus?: { tokens: string; from: string; until: string } | undefined
  link?: string
}

export const ordersMails = {
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
    mail(`We are waiting for ${euro}`, [
      `Thank you for telling us that you made the transfer for order ${orderId}. There is nothing more for you to do.`,
      'A Sepa Instant transfer takes up to 2 hours, a regular one up to 3 business days. We will email you when it arrives.',
      { link, label: 'View order' }
    ])
}
