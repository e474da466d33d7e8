import { type Link, mail, notMe } from '../platform/mailParts.ts'

type StakingFacts = { orderId: string; amount: string; link: string }

export const stakingMails = {
  rewardLinkCreated: ({ link }: Link) =>
    mail('Private calendar link created', [
      'A private link to your reward calendar was created. Anyone with the link can read the dates and amounts of your rewards.',
      ...notMe(link)
    ]),
  stakingRewarded: ({ amount, link }: StakingFacts) =>
    mail(`Your staking paid ${amount}`, [
      `Your quarterly reward of ${amount} is in your rewards. Move it to spot whenever you like.`,
      { link, label: 'View staking' }
    ]),
  stakingReturned: ({ amount, link }: StakingFacts) =>
    mail(`Your ${amount} has been returned`, [
      `Your staking term has ended. ${amount} is in your spot balance.`,
      { link, label: 'View staking' }
    ]),
  bonusReleased: ({ amount, link }: StakingFacts) =>
    mail(`${amount} of your bonus has been released`, [
      `${amount} of your bonus is in your spot balance.`,
      { link, label: 'View staking' }
    ])
}
