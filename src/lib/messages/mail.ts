/** The content of a mail, before its layout. */

/** A paragraph, a code to enter, a button, or names with their values. */
export type MailBlock = string | { code: string } | { link: string; label: string } | { facts: [label: string, value: string][] }
/** `title` is the subject and the heading; `replyTo`: who gets the answer, if that is not the sender. */
export type MailContent = { title: string; blocks: MailBlock[]; replyTo?: string }
