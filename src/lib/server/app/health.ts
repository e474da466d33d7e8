/**
 * Faults: work that has stopped without an error, and what a check has found wrong. Each is logged as an error once, mailed to the person on
 * call when it begins and when it ends, and shown by `npm run health` while it lasts.
 */
import { and, asc, eq, notInArray, sql } from 'drizzle-orm'
import { RULE_NAMES, RULES, type Rule } from '#lib/domain/staff/rules.ts'
import type { Context } from '../platform/context.ts'
import { alarms, ruleRuns } from '../platform/db/schema.ts'
import { beat, lastBeats } from '../platform/heartbeat.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { onCallAddresses } from '../staff/index.ts'
import { verifyAuditLog, verifyBooks } from './daily.ts'
import { type OwedMost, type Ran, runRules } from './rules.ts'

export type Fault = Pick<Ran, 'name' | 'says'>
export type Alarm = typeof alarms.$inferSelect

const HEARTBEAT_SECONDS = 60
const NO_HEARTBEAT_MS = 5 * 60_000
const ROLES = ['worker', 'signer'] as const
const DAY_SECONDS = 86_400

/** Everything that is wrong now. */
export async function faultsOf(context: Pick<Context, 'db' | 'clock'>, owedMost: OwedMost): Promise<Fault[]> {
  const ran = await runRules(context, owedMost)
  return ran.filter(({ state }) => state === 'raised').map(({ name, says }) => ({ name, says }))
}

/**
 * What the worker found when it last looked; reading it costs the same however many customers there are. Where no worker looks, nothing is
 * known: that is a fault of its own, never all clear.
 */
export async function knownFaults({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<Alarm[]> {
  const [found, beats] = await Promise.all([db.select().from(alarms).orderBy(asc(alarms.since)), lastBeats(db, ['role:worker'])])
  const at = beats.get('role:worker')
  const isSilent = at === undefined || clock().getTime() - at.getTime() > NO_HEARTBEAT_MS
  if (!isSilent) return found
  const says = 'no worker looks for faults: what is wrong now is not known'
  const silent = { name: 'unknown', says, since: at ?? clock(), shown: null, shownLimit: null, takenBy: null, takenAt: null }
  return [silent, ...found.filter(({ name }) => name !== 'role:worker')]
}

export type RuleRun = typeof ruleRuns.$inferSelect

/** Every rule with what it found last; one that has not run lately, or never, is unknown. */
export async function knownRules({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<RuleRun[]> {
  const found = await db.select().from(ruleRuns).orderBy(asc(ruleRuns.name))
  const now = clock()
  const isOld = ({ rule, ranAt }: RuleRun) =>
    now.getTime() - ranAt.getTime() > (isDaily(rule) ? DAY_SECONDS * 1000 + NO_HEARTBEAT_MS : NO_HEARTBEAT_MS)
  const ran = found
    .map((run) => (run.says === '' ? { ...run, says: (RULES as Record<string, Rule>)[run.rule]?.says ?? '' } : run))
    .map((run) => (isOld(run) && run.state === 'quiet' ? { ...run, state: 'unknown' as const } : run))
  const missing = RULE_NAMES.filter((rule) => !ran.some((run) => run.rule === rule))
  const never = {
    ranAt: new Date(0),
    state: 'unknown' as const,
    says: 'it has not run yet, or measures nothing yet',
    shown: '–',
    shownLimit: '–'
  }
  return [...ran, ...missing.map((rule) => ({ name: rule, rule, ...never }))]
}

const isDaily = (rule: string) => rule === 'ledger' || rule === 'audit'

/** Runs the rules, keeps what they found, logs and mails what is new, and forgets what is over. `link`: the desk's address. */
export async function watchHealth(context: Context, owedMost: OwedMost, link = ''): Promise<void> {
  const { log } = context
  const ran = await runRules(context, owedMost)
  const raised = ran.filter(({ state }) => state === 'raised')
  const fresh = await transact(context, async (work) => {
    await keepRuns(work, ran)
    const isNew = await raise(work, raised)
    // A rule that could not run says nothing about its alarm, which stays.
    const unknown = ran.filter(({ state }) => state === 'unknown')
    const over = await settle(work, raised, unknown)
    if (isNew.length + over.length > 0) await mailAlarms(work, { raised: isNew.map(({ says }) => says), over, link })
    return isNew
  })
  for (const { name, says } of fresh) log.error({ fault: name }, says)
}

async function keepRuns({ tx, now }: Work, ran: Ran[]): Promise<void> {
  for (const { name, rule, state, says, shown, shownLimit } of ran) {
    // The daily ones keep the time of their own verdict.
    if (isDaily(rule)) continue
    const row = { rule, ranAt: now, state, says, shown, shownLimit }
    await tx
      .insert(ruleRuns)
      .values({ name, ...row })
      .onConflictDoUpdate({ target: ruleRuns.name, set: row })
  }
  // What a rule measured that could not run now stands, and grows old.
  const unknown = ran.filter(({ state, name, rule }) => state === 'unknown' && name === rule).map(({ rule }) => rule)
  await tx
    .delete(ruleRuns)
    .where(
      and(
        notInArray(ruleRuns.name, ['ledger', 'audit', ...ran.map(({ name }) => name)]),
        unknown.length > 0 ? notInArray(ruleRuns.rule, unknown) : undefined
      )
    )
}

/** Those that were not raised before. */
async function raise({ tx, now }: Work, raised: Ran[]): Promise<Ran[]> {
  const isNew: Ran[] = []
  for (const one of raised) {
    const { name, says, shown, shownLimit } = one
    const [known] = await tx
      .insert(alarms)
      .values({ name, says, shown, shownLimit, since: now })
      .onConflictDoNothing()
      .returning()
    if (known) isNew.push(one)
    else await tx.update(alarms).set({ says, shown, shownLimit }).where(eq(alarms.name, name))
  }
  return isNew
}

/** Ends the alarms that are not among these, and returns what they said. */
async function settle({ tx }: Work, raised: Ran[], unknown: Ran[]): Promise<string[]> {
  const kept = [...raised, ...unknown].map(({ name }) => name)
  const rules = unknown.map(({ rule }) => rule)
  const ended = await tx
    .delete(alarms)
    .where(
      and(
        kept.length > 0 ? notInArray(alarms.name, kept) : undefined,
        rules.length > 0 ? notInArray(sql`split_part(${alarms.name}, ':', 1)`, rules) : undefined
      )
    )
    .returning({ says: alarms.says })
  return ended.map(({ says }) => says)
}

async function mailAlarms({ tx, enqueue }: Work, params: { raised: string[]; over: string[]; link: string }): Promise<void> {
  for (const email of await onCallAddresses(tx)) await enqueue(mailTo({ email, locale: 'en' }, 'alarms', params))
}

/** Who looks after an alarm; false if it is over. */
export async function takeAlarm({ tx, now }: Work, name: string, by: string): Promise<boolean> {
  const taken = await tx
    .update(alarms)
    .set({ takenBy: by, takenAt: now })
    .where(eq(alarms.name, name))
    .returning({ name: alarms.name })
  return taken.length > 0
}

/** `link`: the desk's address. */
export function healthJobs(
  context: Context,
  owedMost: OwedMost,
  { signerKey, link }: { signerKey: string; link: string }
): JobKind[] {
  return [
    ...ROLES.map((role) => ({
      name: `heartbeat_${role}`,
      role,
      everySeconds: HEARTBEAT_SECONDS,
      run: () => beat(context, `role:${role}`)
    })),
    { name: 'health', role: 'worker', everySeconds: HEARTBEAT_SECONDS, run: () => watchHealth(context, owedMost, link) },
    { name: 'ledger_verify', role: 'worker', lanes: 'slow', everySeconds: DAY_SECONDS, run: () => verifyBooks(context) },
    {
      name: 'audit_verify',
      role: 'worker',
      lanes: 'slow',
      everySeconds: DAY_SECONDS,
      run: () => verifyAuditLog(context, signerKey)
    }
  ]
}
