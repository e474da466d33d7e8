/** The first steps of a new customer on the dashboard. */
export const firstStepsTexts = {
  title: 'Your first steps',
  done: 'Done',
  verify: 'Verify your identity',
  verifyAbout: 'Have your passport or identity card ready. This unlocks everything else.',
  verified: 'Your identity is verified.',
  choose: 'Choose a package',
  chooseAbout: 'CPC or PTC from $1,000, with staking if you like.',
  chosen: (name: string) => `You chose ${name}.`,
  seePackages: 'See the packages',
  pay: 'Pay',
  payAbout: 'By bank transfer in euro. Your tokens are credited when it arrives.',
  payOrder: (euro: string) => `Pay ${euro} by bank transfer, with the order's reference.`,
  toTransfer: (euro: string) => `Pay ${euro}`,
  watching: (euro: string) => `We are waiting for ${euro}. We will email you when your tokens are credited.`,
  seeOrder: 'See the order'
} as const
