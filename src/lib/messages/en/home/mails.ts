import { mail } from '../platform/mailParts.ts'

/** `since`: the first day of the week; figures are texts, `next` is what comes next. `off`: the link that switches this mail off. */
type Week = {
  since: string
  until: string
  total: string
  change?: { total: string; paid: string; prices: string; rewards: string }
  next?: string
  link: string
  off: string
}

export const homeMails = {
  weekly: ({ since, until, total, change, next, link, off }: Week) =>
    mail('Your week', [
      {
        facts: [
          ['From', `${since} to ${until}`],
          ['Total', total],
          ...(change
            ? ([
                ['Change', change.total],
                ['Paid in and out', change.paid],
                ['Prices and trades', change.prices],
                ['Rewards', change.rewards]
              ] as [string, string][])
            : [])
        ]
      },
      next ? `What comes next: ${next}.` : 'No payout is due.',
      { link, label: 'Open the dashboard' },
      'This mail comes every Monday while you hold something here.',
      { link: off, label: 'Stop this mail' }
    ])
}
