/** Shared parts of all mails. Mail parameters are plain JSON, because a job stores them until the mail is sent. */
import type { MailBlock, MailContent } from '../../mail.ts'

export const IGNORE = 'If this was not you, you can ignore this email: nothing happens without the code.'
export const VALID = 'It is valid for 30 minutes. We will never ask for it by phone or chat.'
export const REST = 'Withdrawals and trades are paused for 24 hours.'

export type Link = { link: string }

/** The button that ends every session, locks withdrawals and undoes recent security changes. */
export function notMe(link: string): MailBlock[] {
  return [
    'If this was not you, press this button. It ends all your sessions, locks withdrawals and undoes what was added since: passkeys, an authenticator app, a new email.',
    { link, label: 'This wasn’t me' }
  ]
}

/** `link` is undefined in mails that an earlier version stored. */
export function view(link: string | undefined): MailBlock[] {
  return link ? [{ link, label: 'View order' }] : []
}

export function mail(title: string, blocks: MailBlock[]): MailContent {
  return { title, blocks }
}

/** The last line of every mail. */
export const mailFooter = (brand: string) => `You get this mail because it concerns your account at ${brand}.`
