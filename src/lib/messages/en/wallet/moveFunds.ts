/** The dialog that moves funds between spot and funding. Source: spec sections 2 and 8. */
export const moveFundsTexts = {
  title: (currency: string) => `Transfer ${currency}`,
  direction: 'Direction',
  spotToFunding: 'Spot to funding',
  spotToFundingAbout: 'To sell it peer to peer.',
  fundingToSpot: 'Funding to spot',
  fundingToSpotAbout: 'To hold or withdraw it.',
  rewardToSpot: 'Rewards to spot',
  rewardToSpotAbout: 'To use what your staking and your invitations brought.',
  there: (amount: string) => `${amount} there`,
  youHave: (missing: string, amount: string, side: string) =>
    `${missing}. You have ${amount} in ${side === 'reward' ? 'rewards' : side}.`,
  amount: 'Amount',
  hint: 'It stays yours: a transfer between your own accounts is free and at once.',
  all: 'All',
  transferring: 'Transferring…',
  transfer: 'Transfer'
} as const
