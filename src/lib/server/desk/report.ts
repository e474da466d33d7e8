/** The daily report: what the house owed and held, what came in and went back, what it earned, and what was wrong. Kept as it was made. */
import { desc, eq } from 'drizzle-orm'
import { BRAND } from '#lib/domain/brand.ts'
import type { ReportSection } from '#lib/domain/staff/report.ts'
import { formatCents, formatExactMoneyUnits, formatExactUnits } from '#lib/format/amount.ts'
import { csvFile } from '#lib/format/csv.ts'
import { createPdf } from '../documents/index.ts'
import { feesBetween, houseBalance } from '../ledger/index.ts'
import { bankDays, refundStates, undecidedPayments } from '../payments/index.ts'
import type { Company } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { utcDay } from '../rates/index.ts'
import { newestHead } from '../staff/index.ts'
import { rewardsDueBy } from '../staking/index.ts'
import { booksOf } from './overview.ts'
import { dailyReports } from './schema.ts'
import type { Alarm } from './settings.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MADE_AT_HOUR = 7
const EVERY_SECONDS = 600
const AHEAD_DAYS = [30, 100]

type Asked = { issuer: Company; signerKey: string; alarms: () => Promise<Alarm[]> }

/** Makes the report of yesterday once it is seven o'clock UTC, once. */
export function reportJob(context: Context, asked: Asked): JobKind {
  return {
    name: 'daily_report',
    role: 'worker',
    lanes: 'slow',
    everySeconds: EVERY_SECONDS,
    run: () => makeDailyReport(context, asked)
  }
}

export async function makeDailyReport(context: Context, { issuer, ...asked }: Asked): Promise<void> {
  const now = context.clock()
  if (now.getUTCHours() < MADE_AT_HOUR) return
  const day = utcDay(new Date(now.getTime() - DAY_MS))
  const [known] = await context.db.select({ day: dailyReports.day }).from(dailyReports).where(eq(dailyReports.day, day))
  if (known) return
  const sections = await sectionsOf(context, day, asked)
  const pdf = await pdfOf(sections, { day, now, issuer })
  await context.db
    .insert(dailyReports)
    .values({ day, madeAt: now, sections, pdf, csv: csvOf(sections) })
    .onConflictDoNothing()
}

async function sectionsOf(context: Context, day: string, { signerKey, alarms }: Omit<Asked, 'issuer'>): Promise<ReportSection[]> {
  const now = context.clock()
  return [
    await moneySection(context),
    await bankSection(context.db, day),
    await suspenseSection(context.db, now),
    await refundSection(context.db, now),
    await feeSection(context.db, day),
    await fundSection(context),
    alarmSection(await alarms()),
    await auditSection(context.db, signerKey)
  ]
}

const exact = (units: string | bigint, currency: string) =>
  currency === 'EUR' ? formatExactMoneyUnits(units, currency) : formatExactUnits(units, currency)

const STATES = { equal: 'equal', moved: 'equal when compared, booked since', short: 'differs', unverified: 'unverified' } as const

async function moneySection(context: Context): Promise<ReportSection> {
  const books = await booksOf(context)
  return {
    title: 'Claims and holdings',
    columns: ['Currency', 'Customers’ claims', 'House’s own', 'In the books', 'Sold, not funded', 'State'],
    rows: books.map(({ currency, claims, coins, owed, state }) => ({
      cells: [
        currency,
        exact(claims, currency),
        exact(BigInt(coins) + BigInt(owed) - BigInt(claims), currency),
        exact(coins, currency),
        exact(owed, currency),
        STATES[state]
      ],
      href: `/lines?kind=${currency === 'EUR' ? 'bank' : 'chain'}&currency=${currency}`,
      isBad: state === 'short'
    })),
    foot: 'What customers own and what the house owns must add up to the books plus the coins that we sold without having them. The chain and the bank must show what the books say. Booked since: they were equal at the last comparison, and bookings followed. Unverified: the last comparison is too old.'
  }
}

const euros = (cents: bigint) => (cents < 0n ? `−${formatCents(-cents, 'EUR')}` : formatCents(cents, 'EUR'))

async function bankSection(db: Executor, day: string): Promise<ReportSection> {
  const days = (await bankDays(db)).filter((one) => one.day <= day).slice(0, 5)
  return {
    title: 'Bank, EUR',
    columns: ['Day', 'Opening', 'In', 'Out', 'Closing, bank', 'Closing, books', 'State'],
    rows: days.map(({ day: of, openingCents, inCents, outCents, closingCents, booksCents, isEqual }) => ({
      cells: [
        of,
        openingCents === null ? '–' : euros(openingCents),
        euros(inCents),
        euros(outCents),
        euros(closingCents),
        euros(booksCents),
        isEqual ? 'equal' : 'differs'
      ],
      href: '/payments#days',
      isBad: !isEqual
    })),
    ...(days.length === 0 && { foot: 'No statement with balances was read.' })
  }
}

async function suspenseSection(db: Executor, now: Date): Promise<ReportSection> {
  const waiting = (await undecidedPayments(db)).map(({ amountCents, currency, receivedAt }) => ({
    cents: currency === 'EUR' ? amountCents : 0n,
    hours: (now.getTime() - receivedAt.getTime()) / HOUR_MS
  }))
  const row = (label: string, from: number, until: number, isBad = false) => {
    const of = waiting.filter(({ hours }) => hours >= from && hours < until)
    return {
      cells: [label, String(of.length), euros(of.reduce((sum, { cents }) => sum + cents, 0n))],
      href: '/payments',
      isBad: isBad && of.length > 0
    }
  }
  return {
    title: 'Suspense by age',
    columns: ['Age', 'Payments', 'Sum'],
    rows: [
      row('below 24 h', 0, 24),
      row('24 to 48 h', 24, 48),
      row('over 48 h', 48, Number.POSITIVE_INFINITY, true),
      row('together', 0, Number.POSITIVE_INFINITY)
    ]
  }
}

const REFUNDS = {
  approved: 'approved, in no file',
  in_file: 'in a file',
  sent: 'sent',
  by_hand: 'by hand at the bank',
  confirmed: 'confirmed within 30 days',
  returned: 'sent back by the payer’s bank'
} as const

async function refundSection(db: Executor, now: Date): Promise<ReportSection> {
  const states = await refundStates(db, now)
  const owed = (['approved', 'in_file', 'sent', 'by_hand'] as const).reduce(
    (sum, state) => sum + (states.get(state)?.cents ?? 0n),
    0n
  )
  return {
    title: 'Refunds',
    columns: ['State', 'Refunds', 'Sum'],
    rows: Object.entries(REFUNDS).map(([state, label]) => {
      const { count, cents } = states.get(state as keyof typeof REFUNDS) ?? { count: 0, cents: 0n }
      return { cells: [label, String(count), euros(cents)], href: '/payments#refunds' }
    }),
    foot: `Owed to payers: ${euros(owed)}; in the books ${euros(await houseBalance(db, 'refunds', 'EUR'))}.`
  }
}

async function feeSection(db: Executor, day: string): Promise<ReportSection> {
  const from = new Date(`${day}T00:00:00Z`)
  const fees = await feesBetween(db, from, new Date(from.getTime() + DAY_MS))
  return {
    title: 'Fees of the day',
    columns: ['What', 'Bookings', 'Fees', ''],
    rows: fees.map(({ reason, currency, count, amount, isCost }) => ({
      cells: [
        reason.replaceAll('_', ' '),
        String(count),
        `${isCost ? '−' : ''}${exact(amount, currency)} ${currency}`,
        isCost ? 'cost' : 'earned'
      ],
      href: `/lines?kind=fees&currency=${currency}&day=${day}`
    })),
    ...(fees.length === 0 && { foot: 'None.' })
  }
}

async function fundSection(context: Context): Promise<ReportSection> {
  const now = context.clock().getTime()
  const rows = new Map<string, string[]>()
  for (const days of AHEAD_DAYS)
    for (const { currency, units } of await rewardsDueBy(context, new Date(now + days * DAY_MS))) {
      const fund = await houseBalance(context.db, 'staking_rewards', currency)
      const row = rows.get(currency) ?? [currency, exact(fund, currency)]
      rows.set(currency, [...row, exact(units, currency)])
    }
  return {
    title: 'Fund of staking rewards',
    ...(rows.size === 0 && { foot: `Nothing is due within ${AHEAD_DAYS.at(-1)} days.` }),
    columns: ['Token', 'In the fund', ...AHEAD_DAYS.map((days) => `Due within ${days} days`)],
    rows: [...rows.values()].map((cells) => ({
      cells: cells.length < 4 ? [cells[0] ?? '', cells[1] ?? '', '0', cells[2] ?? '0'] : cells,
      href: `/lines?kind=staking_rewards&currency=${cells[0] ?? ''}`
    }))
  }
}

function alarmSection(found: Alarm[]): ReportSection {
  return {
    title: 'Alarms when this was made',
    columns: ['Since', 'What', 'Now', 'Limit'],
    rows: found.map(({ since, says, shown, shownLimit }) => ({
      cells: [since.toISOString().slice(0, 16).replace('T', ' '), says, shown ?? '–', shownLimit ?? '–'],
      href: '/',
      isBad: true
    })),
    ...(found.length === 0 && { foot: 'None.' })
  }
}

async function auditSection(db: Executor, signerKey: string): Promise<ReportSection> {
  const head = await newestHead(db, signerKey)
  return {
    title: 'Head of the audit log',
    columns: ['Entry', 'Hash', 'Signed by the signer'],
    rows: head
      ? [{ cells: [String(head.entryId), head.hash, head.signedAt.toISOString().slice(0, 16).replace('T', ' ')], href: '/audit' }]
      : [],
    foot: head ? 'A log whose end is cut off later does not have this entry any more.' : 'The signer has signed none yet.'
  }
}

const csvOf = (sections: ReportSection[]) =>
  csvFile(sections.flatMap(({ title, columns, rows }) => [[title], columns, ...rows.map(({ cells }) => cells), []]))

async function pdfOf(
  sections: ReportSection[],
  { day, now, issuer }: { day: string; now: Date; issuer: Company }
): Promise<Uint8Array> {
  const title = `Daily report of ${day}`
  const pdf = await createPdf({ title, locale: 'en', issuer: { ...issuer, name: BRAND.name }, createdAt: now })
  pdf.heading(1, title)
  pdf.paragraph(`Made ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC, and kept as it was.`, { muted: true })
  for (const { title: name, columns, rows, foot } of sections) {
    pdf.heading(2, name)
    if (rows.length > 0)
      await pdf.table(
        name,
        columns.map((label, at) => ({
          label,
          share: at === 0 ? 2 : 1.5,
          ...(at > 0 && at < columns.length - 1 && { align: 'right' as const })
        })),
        rows.map(({ cells }) => cells)
      )
    if (foot) pdf.paragraph(foot, { muted: true })
  }
  return pdf.finish()
}

const LISTED = 60

export function listReports(db: Executor) {
  return db
    .select({ day: dailyReports.day, madeAt: dailyReports.madeAt })
    .from(dailyReports)
    .orderBy(desc(dailyReports.day))
    .limit(LISTED)
}

export async function findReport(db: Executor, day: string): Promise<typeof dailyReports.$inferSelect | undefined> {
  const [report] = await db.select().from(dailyReports).where(eq(dailyReports.day, day))
  return report
}
