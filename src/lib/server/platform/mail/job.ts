/** A mail is a job: written down with what caused it, sent after the commit, at least once. */
import { type MailName, type MailParams, writeMail } from '#lib/messages/index.ts'
import type { Locale } from '#lib/messages/locale.ts'
import type { NewJob } from '../jobs/insert.ts'
import type { JobKind } from '../jobs/kinds.ts'
import { layOutMail } from './layout.ts'
import type { Mail, Mailer } from './port.ts'

const KIND = 'mail'

export type Recipient = { email: string; locale: Locale }
/** `written`: a mail of an earlier version, laid out already. */
type Payload = { to: Recipient | null; name: MailName; params: object } | { written: Mail }

/**
 * The job that sends a mail. With `undefined` as recipient the job is written too but sends nothing, so that the time
 * of a call does not reveal whether an address has an account.
 */
export function mailTo<Name extends MailName>(to: Recipient | undefined, name: Name, params: MailParams<Name>): NewJob {
  const payload: Payload = { to: to ? { email: to.email, locale: to.locale } : null, name, params }
  return { kind: KIND, payload }
}

function mailOf(payload: Payload): Mail | undefined {
  if ('written' in payload) return payload.written
  const { to, name, params } = payload
  if (!to) return undefined
  return { to: to.email, ...layOutMail(writeMail(to.locale, name, params as never), to.locale) }
}

function recipientOf(payload: Payload): string | null {
  return 'written' in payload ? payload.written.to : (payload.to?.email ?? null)
}

export function mailJob(mailer: Mailer): JobKind {
  return {
    name: KIND,
    role: 'worker',
    run: async (payload) => {
      const mail = mailOf(payload as Payload)
      if (mail) await mailer.send(mail)
    },
    // Its parameters may hold a code.
    keptPayload: (payload) => ({ to: recipientOf(payload as Payload) })
  }
}
