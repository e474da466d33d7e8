/** The content of a mail, before its layout. */

/** A paragraph, a code to enter, a button, or a list of names and values. */
export type MailBlock = string | { code: string } | { link: string; label: string } | { facts: [label: string, value: string][] }
/** `title` is the subject and the heading. `replyTo`: the address for replies, if it is not that of our support. */
export type MailContent = { title: string; blocks: MailBlock[]; replyTo?: string }
