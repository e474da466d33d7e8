/** The progress of an order: what happened, who acts next, and by when. */
export const timelineTexts = {
  title: 'Where it is',
  done: 'done',
  ordered: 'Ordered',
  orderedAbout: (name: string, euro: string) => `By you: ${name} for ${euro}.`,
  announced: 'Announced',
  announcedAbout: 'By you: you made the transfer.',
  announceNext: 'Your turn: make the transfer, and tell us.',
  cancelledAbout: 'You cancelled this order.',
  arrived: 'Arrived',
  arrivedAbout: 'Your bank sent it.',
  arriveNext: (until: string) => `Your bank sends it. It may arrive until ${until}.`,
  unfitAbout: (received: string, expected: string, until: string) =>
    received === expected ? `${received}. We check it by ${until}.` : `${received} of ${expected}. We check it by ${until}.`,
  credited: 'Credited',
  creditedAbout: (tokens: string, isStaked: boolean) =>
    isStaked
      ? `By us: the price is fixed, ${tokens} are credited and staked.`
      : `By us: the price is fixed, ${tokens} are credited.`,
  by: (day: string) => `by ${day}`,
  within: 'within 24 hours'
} as const
