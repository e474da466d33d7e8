/** The progress of an order: what happened, who acts next, and by when. */
export const timelineTexts = {
  title: 'Progress',
  done: 'done',
  ordered: 'Ordered',
  orderedAbout: (name: string, euro: string) => `You ordered ${name} for ${euro}.`,
  announced: 'Announced',
  announcedAbout: 'You told us you made the transfer.',
  announceNext: 'Your turn: make the transfer, then tell us.',
  cancelledAbout: 'You cancelled this order.',
  arrived: 'Arrived',
  arrivedAbout: 'Your bank sent it.',
  arriveNext: (until: string) => `Your bank sends it. It must arrive by ${until}.`,
  unfitAbout: (received: string, expected: string, until: string) =>
    received === expected
      ? `${received}. We will check it by ${until}.`
      : `${received} of ${expected}. We will check it by ${until}.`,
  credited: 'Credited',
  creditedAbout: (tokens: string, isStaked: boolean) =>
    isStaked ? `By us: price fixed, ${tokens} credited and staked.` : `By us: price fixed, ${tokens} credited.`,
  by: (day: string) => `by ${day}`,
  within: 'within 24 hours'
} as const
