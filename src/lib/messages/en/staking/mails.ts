import { mail } from '../platform/mailParts.ts'

type StakingFacts = { orderId: string; amount: string; link: string }

export const stakingMails = {
  stakingRewarded: ({ amount, link }: StakingFacts) =>
    mail(`Your staking paid ${amount}`, [
      `The reward of a quarter, ${amount}, is in your rewards. Move it to spot whenever you like.`,
      { link, label: 'View staking' }
    ]),
  stakingReturned: ({ amount, link }: StakingFacts) =>
    mail(`Your ${amount} are free again`, [
      `The term of your staking is over. ${amount} are in your spot balance.`,
      { link, label: 'View staking' }
    ]),
  bonusReleased: ({ amount, link }: StakingFacts) =>
    mail(`${amount} of your bonus are released`, [
      `${amount} of your bonus are in your spot balance.`,
      { link, label: 'View staking' }
    ])
}
