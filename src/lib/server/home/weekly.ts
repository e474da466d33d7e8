/** Every Monday a mail to each customer who holds something: the total, what came, what comes next. Off by one link, or in the settings. */
import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'
import { and, eq, inArray } from 'drizzle-orm'
import { formatCents, formatChange, formatExactUnits } from '#lib/format/amount.ts'
import { formatDay } from '#lib/format/dates.ts'
import { muteLink, type User, users } from '../access/index.ts'
import { customersHolding } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact } from '../platform/transaction.ts'
import type { RatesSource } from '../rates/index.ts'
import { readSummary } from '../staking/index.ts'
import { readValueLine } from '../wallet/index.ts'
import { weeklyMails } from './schema.ts'

dayjs.extend(utc)

const EVERY_SECONDS = 900
const AT_ONCE = 200
const MOST_OF_A_RUN = 2000
/** UTC, on Mondays: after the prices of the day were stored. */
const FROM_HOUR = 6
/** A Monday that was missed is made up for until Wednesday. */
const LATEST_DAY = 3

type WeeklySources = { rates: RatesSource }

/** The Monday (yyyy-mm-dd) whose mails are due now; undefined while none are. */
export function dueWeek(now: Date): string | undefined {
  const at = dayjs.utc(now)
  const day = at.day()
  if (day < 1 || day > LATEST_DAY || (day === 1 && at.hour() < FROM_HOUR)) return undefined
  return at.subtract(day - 1, 'day').format('YYYY-MM-DD')
}

export function weeklyJob(context: Context, sources: WeeklySources): JobKind {
  return {
    name: 'weekly-mails',
    role: 'worker',
    everySeconds: EVERY_SECONDS,
    run: async () => {
      const week = dueWeek(context.clock())
      if (!week) return
      // Without prices no mail can be written: the run fails here, and not once for each customer.
      await sources.rates.current()
      let after: string | undefined
      let told = 0
      let failed: unknown
      while (told < MOST_OF_A_RUN) {
        const ids = await customersHolding(context.db, after, AT_ONCE)
        // One that fails does not hold up the others; it is tried again with the next run.
        for (const user of await untold(context, ids, week))
          await tellWeek(context, sources, user, week).then(
            (isTold) => {
              if (isTold) told += 1
            },
            (error: unknown) => {
              context.log.error({ user: user.id, err: error }, 'a weekly mail could not be written')
              failed = error
            }
          )
        after = ids.at(-1)
        if (ids.length < AT_ONCE) break
      }
      if (failed) throw failed
    }
  }
}

/** Those of these customers who want the mail and have not got it for this week. */
async function untold({ db }: Context, ids: string[], week: string): Promise<User[]> {
  if (ids.length === 0) return []
  const [rows, told] = await Promise.all([
    db.select().from(users).where(inArray(users.id, ids)),
    db
      .select({ id: weeklyMails.userId })
      .from(weeklyMails)
      .where(and(eq(weeklyMails.week, week), inArray(weeklyMails.userId, ids)))
  ])
  const has = new Set(told.map(({ id }) => id))
  return rows.filter(({ id, mutedMails, lockedAt }) => !has.has(id) && !lockedAt && !mutedMails.includes('weekly'))
}

async function tellWeek(context: Context, { rates }: WeeklySources, user: User, week: string): Promise<boolean> {
  const facts = await factsOf(context, rates, user)
  if (!facts) return false
  const off = await muteLink(context, user.id, 'weekly')
  const mail = mailTo(user, 'weekly', { ...facts, link: `${context.origin}/dashboard`, off })
  return transact(context, async ({ tx, enqueue }) => {
    const made = await tx.insert(weeklyMails).values({ userId: user.id, week }).onConflictDoNothing().returning()
    if (made.length > 0) await enqueue(mail)
    return made.length > 0
  })
}

/** Undefined while there are no prices. */
async function factsOf(context: Context, rates: RatesSource, user: User) {
  const currency = user.displayCurrency
  const [line, { next }] = await Promise.all([
    readValueLine(context, rates, { userId: user.id }, { range: '1W', in: currency }),
    readSummary(context, { userId: user.id })
  ])
  const today = context.clock().toISOString().slice(0, 10)
  const last = line.points.at(-1)
  // Without prices, the line ends yesterday or before.
  if (last?.day !== today) return undefined
  const { change } = line
  const signed = (...cents: string[]) =>
    formatChange(
      cents.reduce((sum, one) => sum + BigInt(one), 0n),
      currency
    )
  return {
    since: formatDay(`${line.points[0]?.day ?? today}T00:00:00Z`),
    until: formatDay(`${today}T00:00:00Z`),
    total: formatCents(BigInt(last.cents), currency),
    ...(change && {
      change: {
        total: signed(change.total),
        paid: signed(change.paid),
        prices: signed(change.prices, change.trades),
        rewards: signed(change.rewards)
      }
    }),
    ...(next && { next: `${formatExactUnits(next.units, next.currency)} ${next.currency}, ${formatDay(next.dueAt)}` })
  }
}
