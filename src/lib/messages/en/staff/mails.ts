import { mail } from '../platform/mailParts.ts'

export const staffMails = {
  /** To the people on call. */
  alarms: ({ raised, over, link }: { raised: string[]; over: string[]; link: string }) =>
    mail(
      raised.length > 0 ? `Alarm: ${raised[0]}${raised.length > 1 ? ` and ${raised.length - 1} more` : ''}` : `Over: ${over[0]}`,
      [
        ...raised.map((says) => `Raised: ${says}`),
        ...over.map((says) => `Over: ${says}`),
        { link, label: 'Open the desk' },
        'You get this because you are on call. Each alarm is mailed once, and once more when it is over.'
      ]
    ),
  /** Goes to a new member of staff. */
  staffInvitation: ({ name, link, hours }: { name: string; link: string; hours: number }) =>
    mail('Your invitation to the desk', [
      `Hello ${name}, you are invited to the operators’ desk.`,
      'Open the link on the device whose passkey you want to use. A passkey is the only way to sign in.',
      { link, label: 'Join the desk' },
      `The link works once, within ${hours} hours. If you did not expect it, tell the person who runs the desk.`
    ])
}
