/** The dialog that moves funds between spot and funding. Source: spec sections 2 and 8. */
export const moveFundsTexts = {
  title: (currency: string) => `Transfer ${currency}`,
  direction: 'Direction',
  spotToFunding: 'Spot to funding',
  spotToFundingAbout: 'To sell it peer to peer.',
  fundingToSpot: 'Funding to spot',
  fundingToSpotAbout: 'To hold or withdraw it.',
  rewardToSpot: 'Rewards to spot',
  rewardToSpotAbout: 'To use your staking and referral rewards.',
  there: (amount: string) => `${amount} available`,
  youHave: (missing: string, amount: string, side: string) =>
    `${missing}. You have ${amount} in ${side === 'reward' ? 'rewards' : side}.`,
  amount: 'Amount',
  hint: 'It stays yours: transfers between your own accounts are free and instant.',
  all: 'All',
  youTransfer: 'You transfer',
  transferring: 'Transferring…',
  transfer: 'Transfer'
} as const
