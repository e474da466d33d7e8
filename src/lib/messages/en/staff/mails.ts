import { mail } from '../platform/mailParts.ts'

export const staffMails = {
  /** Goes to a new member of staff. */
  staffInvitation: ({ name, link, hours }: { name: string; link: string; hours: number }) =>
    mail('Your invitation to the desk', [
      `Hello ${name}, you are invited to the operators’ desk.`,
      'Open the link on the device whose passkey you want to use. A passkey is the only way to sign in.',
      { link, label: 'Join the desk' },
      `The link works once, within ${hours} hours. If you did not expect it, tell the person who runs the desk.`
    ])
}
