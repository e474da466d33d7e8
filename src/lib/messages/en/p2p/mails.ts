import { formatMoment } from '#lib/format/dates.ts'
import { mail, notMe } from '../platform/mailParts.ts'

/** `notMe`: the "This wasn't me" link. */
type TradeFacts = { amount: string; price: string; by: string; link: string; notMe: string }

export const p2pMails = {
  p2pListed: ({ amount, price, link, notMe: notMeLink }: Omit<TradeFacts, 'by'>) =>
    mail(`You are selling ${amount}`, [
      {
        facts: [
          ['For sale', amount],
          ['Price', price]
        ]
      },
      'It is frozen until the order sells, ends or is cancelled.',
      { link, label: 'View orders' },
      ...notMe(notMeLink)
    ]),
  p2pSold: ({
    amount,
    price,
    by,
    received,
    fee,
    rest,
    link,
    notMe: notMeLink
  }: TradeFacts & { received: string; fee: string; rest: string }) =>
    mail(`You sold ${amount}`, [
      {
        facts: [
          ['Sold', amount],
          ['Price', price],
          ['Buyer', by],
          ['Fee', fee],
          ['Received', received],
          ['Still for sale', rest]
        ]
      },
      'What you received is in your funding balance.',
      { link, label: 'View trades' },
      ...notMe(notMeLink)
    ]),
  p2pBought: ({ amount, price, by, paid, link, orders, notMe: notMeLink }: TradeFacts & { paid: string; orders: number }) =>
    mail(`You bought ${amount}`, [
      {
        facts: [
          ['Bought', amount],
          [orders > 1 ? 'Average price' : 'Price', price],
          orders > 1 ? ['From', `${orders} orders`] : ['Seller', by],
          ['Paid', paid]
        ]
      },
      'What you bought is in your funding balance.',
      { link, label: 'View trades' },
      ...notMe(notMeLink)
    ]),
  p2pEnding: ({ rest, endsAt, link }: { rest: string; endsAt: string; link: string }) =>
    mail('Your sell order ends within a day', [
      {
        facts: [
          ['Not sold yet', rest],
          ['Ends (UTC)', formatMoment(endsAt)]
        ]
      },
      'What is not sold by then goes back to your funding balance. You can list it again.',
      { link, label: 'View orders' }
    ]),
  p2pEnded: ({ rest, why, link }: { rest: string; why: 'expired' | 'secured' | 'lapsed'; link: string }) =>
    mail('Your sell order has ended', [
      why === 'expired'
        ? 'Its time ran out.'
        : why === 'secured'
          ? 'Someone else may have used your account, so we cancelled your open orders.'
          : 'We need to check your account first, or your identity check is no longer valid.',
      { facts: [['Not sold', rest]] },
      'It is back in your funding balance.',
      { link, label: 'View trades' }
    ])
}
