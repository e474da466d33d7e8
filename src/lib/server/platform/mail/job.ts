/** A mail is a job: stored with the change that caused it, sent after the commit, at least once. */
import { type MailName, type MailParams, writeMail } from '#lib/messages/index.ts'
import type { Locale } from '#lib/messages/locale.ts'
import type { Company } from '../config.ts'
import type { NewJob } from '../jobs/insert.ts'
import { BULK_MAIL, type JobKind, MAIL } from '../jobs/kinds.ts'
import { layOutMail } from './layout.ts'
import type { Mail, Mailer } from './port.ts'

/** What many customers get at one moment. */
const TO_MANY: MailName[] = ['weekly', 'stakingRewarded', 'stakingReturned', 'bonusReleased', 'statementReady', 'taxReportReady']

/** `id`: the customer's id, needed for a notice; missing if the recipient is no customer. */
export type Recipient = { id?: string; email: string; locale: Locale }
/** `written`: a mail from an earlier version, whose text is already laid out. */
type Payload = { to: (Recipient & { userId?: string }) | null; name: MailName; params: object } | { written: Mail }

/** An event for which a customer gets a mail, a notice or both. */
export type MailEvent = { jobId: bigint; userId: string; name: MailName; params: object; at: Date }
type Options = {
  imprint: Company
  /** Called before a mail to a customer; returns true if it is to be sent. May be called twice, because a job may run twice. */
  onEvent: (event: MailEvent) => Promise<boolean>
}

/**
 * The job that sends a mail. With `undefined` as recipient the job is written too but sends nothing, so that the time
 * of a call does not reveal whether an address has an account.
 */
export function mailTo<Name extends MailName>(to: Recipient | undefined, name: Name, params: MailParams<Name>): NewJob {
  const payload: Payload = { to: to ? { userId: to.id, email: to.email, locale: to.locale } : null, name, params }
  return { kind: TO_MANY.includes(name) ? BULK_MAIL : MAIL, payload }
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

export function mailJobs(mailer: Mailer, { imprint, onEvent }: Options): JobKind[] {
  const run: JobKind['run'] = async (job, { id, createdAt }) => {
    const payload = job as Payload
    const mail = mailOf(payload, imprint)
    const userId = 'to' in payload ? payload.to?.userId : undefined
    const isWanted =
      !userId ||
      'written' in payload ||
      (await onEvent({ jobId: id, userId, name: payload.name, params: payload.params, at: createdAt }))
    if (mail && isWanted) await mailer.send(mail)
  }
  // The parameters may hold a code: keep only the recipient.
  const keptPayload: JobKind['keptPayload'] = (payload) => ({ to: recipientOf(payload as Payload) })
  return [
    { name: MAIL, role: 'worker', lanes: 'mail', run, keptPayload },
    { name: BULK_MAIL, role: 'worker', lanes: 'bulk', run, keptPayload }
  ]
}
