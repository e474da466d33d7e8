/** A mail is a job: written down with what caused it, sent after the commit, at least once. */
import { type MailName, type MailParams, writeMail } from '#lib/messages/index.ts'
import type { Locale } from '#lib/messages/locale.ts'
import type { Company } from '../config.ts'
import type { NewJob } from '../jobs/insert.ts'
import type { JobKind } from '../jobs/kinds.ts'
import { layOutMail } from './layout.ts'
import type { Mail, Mailer } from './port.ts'

const KIND = 'mail'

/** `id`: the customer's, for what happens besides the mail. */
export type Recipient = { id?: string; email: string; locale: Locale }
/** `written`: a mail of an earlier version, laid out already. */
type Payload = { to: (Recipient & { userId?: string }) | null; name: MailName; params: object } | { written: Mail }

/** An event that a customer gets a mail or a notice about. */
export type MailEvent = { jobId: bigint; userId: string; name: MailName; params: object; at: Date }
type Options = {
  imprint: Company
  /** Called before a mail to a customer; answers whether it is sent. A job may run twice. */
  onEvent: (event: MailEvent) => Promise<boolean>
}

/**
 * The job that sends a mail. With `undefined` as recipient the job is written too but sends nothing, so that the time
 * of a call does not reveal whether an address has an account.
 */
export function mailTo<Name extends MailName>(to: Recipient | undefined, name: Name, params: MailParams<Name>): NewJob {
  const payload: Payload = { to: to ? { userId: to.id, email: to.email, locale: to.locale } : null, name, params }
  return { kind: KIND, payload }
}

function mailOf(payload: Payload, imprint: Company): Mail | undefined {
  if ('written' in payload) return payload.written
  const { to, name, params } = payload
  if (!to) return undefined
  return { to: to.email, ...layOutMail(writeMail(to.locale, name, params as never), to.locale, imprint) }
}

function recipientOf(payload: Payload): string | null {
  return 'written' in payload ? payload.written.to : (payload.to?.email ?? null)
}

export function mailJob(mailer: Mailer, { imprint, onEvent }: Options): JobKind {
  return {
    name: KIND,
    role: 'worker',
    run: async (job, { id, createdAt }) => {
      const payload = job as Payload
      const mail = mailOf(payload, imprint)
      const userId = 'to' in payload ? payload.to?.userId : undefined
      const isWanted =
        !userId ||
        'written' in payload ||
        (await onEvent({ jobId: id, userId, name: payload.name, params: payload.params, at: createdAt }))
      if (mail && isWanted) await mailer.send(mail)
    },
    // Its parameters may hold a code.
    keptPayload: (payload) => ({ to: recipientOf(payload as Payload) })
  }
}
