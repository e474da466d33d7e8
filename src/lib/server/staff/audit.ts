/**
 * The audit log of staff: every act and every look at personal data. Each entry holds the hash of the one before, and the signer signs the
 * newest hash every few minutes, so that a changed, removed, moved or cut-off entry is found.
 */
import { createHash } from 'node:crypto'
import { and, asc, desc, eq, gt, gte, lt, sql } from 'drizzle-orm'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { isSignedBy } from '../platform/ed25519.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import type { Work } from '../platform/transaction.ts'
import { staffAudit, staffAuditHeads } from './schema.ts'

export type AuditEntry = typeof staffAudit.$inferSelect
export type NewEntry = {
  actor: Actor
  /** A right, or what else was done, e.g. `sign_in`. */
  act: string
  /** What it is about, e.g. `withdrawal:<id>`. */
  subject: string
  why: string
  details?: Record<string, unknown>
}

/** Adds an entry; it is kept if the transaction is. Call it last: until the commit, every other writer of the log waits. */
export async function keepEntry({ tx, now }: Work, { actor, act, subject, why, details = {} }: NewEntry): Promise<void> {
  await tx.execute(
    sql`select staff_audit_append(${now.toISOString()}::timestamptz, ${actorText(actor)}, ${act}, ${subject}, ${why}, ${JSON.stringify(details)})`
  )
}

/** True if this person did this act about this proposal. */
export async function isInLog(
  db: Executor,
  { subject, act, staffId, proposal }: { subject: string; act: string; staffId: string; proposal: string }
): Promise<boolean> {
  const isIt = and(
    eq(staffAudit.subject, subject),
    eq(staffAudit.act, act),
    eq(staffAudit.actor, `staff:${staffId}`),
    sql`${staffAudit.details}::jsonb ->> 'proposal' = ${proposal}`
  )
  return (await db.select({ id: staffAudit.id }).from(staffAudit).where(isIt).limit(1)).length > 0
}

/** As `staff_audit_append` computes it: each part with its length in bytes before it. */
function hashOf({ id, at, actor, act, subject, why, details, previous }: AuditEntry): string {
  const parts = [String(id), at.toISOString(), actor, act, subject, why, details, previous]
  return createHash('sha256')
    .update(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''))
    .digest('hex')
}

const headText = (head: { entryId: bigint; hash: string; signedAt: Date }) =>
  Buffer.from(JSON.stringify(['cp-audit-head-v1', String(head.entryId), head.hash, head.signedAt.toISOString()]))

type Head = { entryId: bigint; hash: string }
/** `forged`: heads that the signer has not signed; they prove nothing, and hold up nothing. */
export type AuditReport = { entries: number; signedUpTo: bigint; problems: string[]; forged: string[] }

const AT_ONCE = 5000

/**
 * Finds a changed, removed, moved or cut-off entry. `publicKey`: the signer's; `heads`: heads known from elsewhere, e.g. from the signer's
 * journal, which also show that the log was cut off together with its own heads. `after`: looks only at what came
 * behind this entry, heads included.
 */
export async function verifyAudit(
  db: Executor,
  publicKey: string,
  { heads = [], after }: { heads?: Head[]; after?: Head | undefined } = {}
): Promise<AuditReport> {
  const problems: string[] = []
  const all = await db
    .select()
    .from(staffAuditHeads)
    .where(after && gt(staffAuditHeads.entryId, after.entryId))
    .orderBy(asc(staffAuditHeads.entryId))
  const kept = all.filter((head) => isSignedBy(publicKey, headText(head), head.signature))
  const forged = all
    .filter((head) => !kept.includes(head))
    .map(({ entryId }) => `the head at entry ${entryId} is not signed by the signer`)
  let [last, previous] = [after?.entryId ?? 0n, after?.hash ?? '']
  const wanted = new Map([...kept, ...heads].filter(({ entryId }) => entryId > last).map(({ entryId, hash }) => [entryId, hash]))
  for (;;) {
    const rows = await db.select().from(staffAudit).where(gt(staffAudit.id, last)).orderBy(asc(staffAudit.id)).limit(AT_ONCE)
    if (rows.length === 0) break
    for (const row of rows) {
      if (row.id !== last + 1n)
        problems.push(
          last + 1n === row.id - 1n ? `entry ${last + 1n} is missing` : `entries ${last + 1n} to ${row.id - 1n} are missing`
        )
      else if (row.previous !== previous) problems.push(`entry ${row.id} does not follow entry ${last}`)
      if (hashOf(row) !== row.hash) problems.push(`entry ${row.id} was changed`)
      const signed = wanted.get(row.id)
      if (signed !== undefined && signed !== row.hash) problems.push(`entry ${row.id} is not the one that the signer signed`)
      wanted.delete(row.id)
      last = row.id
      previous = row.hash
    }
  }
  for (const entryId of wanted.keys())
    if (entryId > last)
      problems.push(`the log ends at entry ${last}, but the signer has signed up to entry ${entryId}: the end was cut off`)
  return { entries: Number(last), signedUpTo: kept.at(-1)?.entryId ?? 0n, problems, forged }
}

/** Signs, and keeps in the signer's own record what it has signed. */
export type HeadSigner = {
  sign: (text: Buffer) => string
  publicKey: string
  /** The newest head of the signer's record. */
  last: () => { entryId: bigint; hash: string } | undefined
  keep: (head: { entryId: bigint; hash: string; at: Date }) => void
}

/** Signs the newest entry, unless what was signed before is no longer there: then it says so, and signs nothing. */
export async function signHead({ db, clock, log }: Context, signer: HeadSigner): Promise<void> {
  // In the sandbox the record may begin anew with each start: then the last head of the database counts.
  const last = signer.last() ?? (await newestHead(db, signer.publicKey))
  const [newest] = await db.select().from(staffAudit).orderBy(desc(staffAudit.id)).limit(1)
  if (last) {
    const [known] = await db.select({ hash: staffAudit.hash }).from(staffAudit).where(eq(staffAudit.id, last.entryId))
    if (known?.hash !== last.hash) {
      log.error({ entry: String(last.entryId) }, 'the audit log is not the one that the signer signed: npm run audit:verify')
      return
    }
  }
  if (!newest || newest.id === last?.entryId) {
    // What was signed and never reached the database, e.g. because the process ended in between.
    if (last) await keepHead(db, signer, { ...last, signedAt: clock() })
    return
  }
  // Only what is whole is signed: an entry that was changed must not be covered by a newer head.
  const { problems } = await verifyAudit(db, signer.publicKey, { after: last })
  if (problems.length > 0) {
    log.error({ problems: problems.slice(0, 5) }, 'the audit log is broken and is not signed: npm run audit:verify')
    return
  }
  const head = { entryId: newest.id, hash: newest.hash, signedAt: clock() }
  signer.keep({ entryId: head.entryId, hash: head.hash, at: head.signedAt })
  await keepHead(db, signer, head)
}

async function keepHead(db: Executor, signer: HeadSigner, head: Head & { signedAt: Date }): Promise<void> {
  await db
    .insert(staffAuditHeads)
    .values({ ...head, signature: signer.sign(headText(head)) })
    .onConflictDoNothing()
}

const SIGNED_EVERY_SECONDS = 300

export function headJob(context: Context, signer: HeadSigner): JobKind {
  return { name: 'audit_head', role: 'signer', everySeconds: SIGNED_EVERY_SECONDS, run: () => signHead(context, signer) }
}

const DAY_MS = 86_400_000

/** Which entries of the log; without a field, all. */
export type EntriesAsked = {
  /** Only older entries than this one. */
  before?: bigint | undefined
  actor?: string | undefined
  act?: string | undefined
  about?: string | undefined
  /** A day of UTC, e.g. `2026-11-27`. */
  day?: string | undefined
}

/** Newest first. */
export async function listEntries(
  db: Executor,
  { before, actor, act, about, day }: EntriesAsked,
  limit: number
): Promise<AuditEntry[]> {
  const begins = day === undefined ? undefined : new Date(`${day}T00:00:00Z`)
  const isAsked = and(
    before === undefined ? undefined : lt(staffAudit.id, before),
    actor === undefined ? undefined : eq(staffAudit.actor, actor),
    act === undefined ? undefined : eq(staffAudit.act, act),
    about === undefined ? undefined : eq(staffAudit.subject, about),
    begins && gte(staffAudit.at, begins),
    begins && lt(staffAudit.at, new Date(begins.getTime() + DAY_MS))
  )
  return db.select().from(staffAudit).where(isAsked).orderBy(desc(staffAudit.id)).limit(limit)
}

/** The newest head that the signer has signed. Looks behind at most fifty that it has not. */
export async function newestHead(db: Executor, publicKey: string): Promise<(Head & { signedAt: Date }) | undefined> {
  const heads = await db.select().from(staffAuditHeads).orderBy(desc(staffAuditHeads.entryId)).limit(HEADS_LOOKED_AT)
  return heads.find((head) => isSignedBy(publicKey, headText(head), head.signature))
}
const HEADS_LOOKED_AT = 50

/**
 * The time of the oldest entry that waits for the signer's signature; undefined if none does. A head behind the end of the log is forged, or the
 * log was cut off: it covers nothing.
 */
export async function unsignedSince(db: Executor): Promise<Date | undefined> {
  const [oldest] = await db
    .select({ at: staffAudit.at })
    .from(staffAudit)
    .where(
      gt(
        staffAudit.id,
        sql`coalesce((
        select max(h.entry_id) from staff_audit_heads h where h.entry_id <= (select max(a.id) from staff_audit a)), 0)`
      )
    )
    .orderBy(asc(staffAudit.id))
    .limit(1)
  return oldest?.at
}

/** What staff did about one subject, the newest first, at most a hundred. */
export function entriesAbout(db: Executor, subject: string): Promise<AuditEntry[]> {
  return db.select().from(staffAudit).where(eq(staffAudit.subject, subject)).orderBy(desc(staffAudit.id)).limit(100)
}
