/** The page of the rewards and the invitees. Source: spec sections 2 and 9. */
export const referralPageTexts = {
  title: 'Referral',
  yourRewards: 'Your rewards',
  about:
    'You get 5% of what the people you invite spend on packages, in CPC at the price of that moment, as soon as their order is completed.',
  invitees: 'Invitees',
  rewardedOrders: 'Rewarded orders',
  invite: 'Invite somebody',
  reward: 'Reward',
  invitee: 'Invitee',
  noRewards: 'No rewards yet',
  noRewardsAbout: 'They are listed here when somebody you invited buys a package.',
  noInvitees: 'No invitees found',
  noInviteesAbout: 'Send your link to somebody: who signs up with it is listed here.',
  rewardsCaption: 'Your rewards, newest first',
  inviteesCaption: 'Your invitees, newest first',
  order: 'Order',
  date: 'Date',
  orderAmount: 'Order amount',
  status: 'Status',
  email: 'Email'
} as const
