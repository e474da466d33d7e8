/** The page of the rewards and the invitees. Source: spec sections 2 and 9. */
export const referralPageTexts = {
  title: 'Referral',
  yourRewards: 'Your rewards',
  about:
    'You get 5% of what the people you invite spend on packages, in CPC at the price at that time, as soon as their order is completed.',
  invitees: 'Invitees',
  rewardedOrders: 'Rewarded orders',
  invite: 'Invite someone',
  reward: 'Reward',
  invitee: 'Invitee',
  noRewards: 'No rewards yet',
  noRewardsAbout: 'They will appear here when someone you invited buys a package.',
  noInvitees: 'No invitees found',
  noInviteesAbout: 'Share your link: anyone who signs up with it will appear here.',
  rewardsCaption: 'Your rewards, newest first',
  inviteesCaption: 'Your invitees, newest first',
  order: 'Order',
  date: 'Date',
  orderAmount: 'Order amount',
  status: 'Status',
  email: 'Email',
  movableFrom: (day: string) => `You can move it to spot from ${day}.`,
  takenBack: (day: string) => `Taken back on ${day}: the payment for the package was taken back.`
} as const
