/** What is compared once a day, because it reads everything: the books, and the staff's audit log. The verdict stands until the next one. */
import { eq } from 'drizzle-orm'
import { settleStock, verifyLedger } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { ruleRuns } from '../platform/db/schema.ts'
import { verifyAudit } from '../staff/index.ts'
import { ledgerChecks } from './features.ts'

type DailyRule = 'ledger' | 'audit'
const AGAIN_MS = 26 * 3_600_000

/** The last verdict; unknown where none was made for more than a day. Not measured before the first one. */
export async function daily(
  { db, now }: { db: Executor; now: Date },
  rule: DailyRule
): Promise<{ value: bigint | undefined; says?: string }[]> {
  const [last] = await db.select().from(ruleRuns).where(eq(ruleRuns.name, rule))
  if (!last) return []
  if (last.state === 'raised') return [{ value: 1n, says: last.says }]
  return [{ value: now.getTime() - last.ranAt.getTime() > AGAIN_MS ? undefined : 0n }]
}

/** Keeps the verdict; true if it is new that something is wrong. */
async function keep({ db, clock }: Pick<Context, 'db' | 'clock'>, rule: DailyRule, says: string | undefined): Promise<boolean> {
  const [last] = await db.select().from(ruleRuns).where(eq(ruleRuns.name, rule))
  const row = {
    rule,
    ranAt: clock(),
    state: says === undefined ? ('quiet' as const) : ('raised' as const),
    says: says ?? '',
    shown: says === undefined ? '0' : '1',
    shownLimit: '0'
  }
  await db
    .insert(ruleRuns)
    .values({ name: rule, ...row })
    .onConflictDoUpdate({ target: ruleRuns.name, set: row })
  return says !== undefined && last?.state !== 'raised'
}

/** The same as `npm run ledger:verify`. Processes of an earlier release, which know no `owed`, may have been at work until a moment ago. */
export async function verifyBooks(context: Context): Promise<void> {
  await settleStock(context)
  const { problems } = await verifyLedger(context.longDb, ledgerChecks)
  const isNew = await keep(context, 'ledger', problems.length > 0 ? `the ledger is WRONG: ${problems.join('; ')}` : undefined)
  if (isNew) context.log.error({ problems }, 'the ledger is WRONG')
}

/** The same as `npm run audit:verify`. `signerKey`: the signer's public key. */
export async function verifyAuditLog(context: Context, signerKey: string): Promise<void> {
  const { problems, forged } = await verifyAudit(context.db, signerKey)
  const found = [...problems, ...forged]
  const says = found.length > 0 ? `the staff's audit log is BROKEN: ${found.slice(0, 5).join('; ')}` : undefined
  if (await keep(context, 'audit', says)) context.log.error({ problems: found.slice(0, 50) }, "the staff's audit log is BROKEN")
}
