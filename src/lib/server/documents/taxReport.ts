/** The report of a year for taxes: acquisitions, rewards and disposals with their values. */
import { spanOf } from '#lib/domain/documents/periods.ts'
import { TAX_SECTIONS, type TaxSection, taxSectionOf } from '#lib/domain/documents/tax.ts'
import { lineKind } from '#lib/domain/ledger/reasons.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { csvRow } from '#lib/format/csv.ts'
import { formatDay, formatExactMoment } from '#lib/format/dates.ts'
import { formatSigned } from '#lib/format/wallet/statement.ts'
import { textsOf } from '#lib/messages/index.ts'
import { type Movement, movementsBetween } from '../ledger/index.ts'
import { packagePrices } from '../orders/index.ts'
import type { Context } from '../platform/context.ts'
import { utcDay } from '../rates/index.ts'
import { createPdf } from './pdf.ts'
import { type Asked, cents, head, isBonus, type Made, plainCents, plainUnits, type StatementTexts, whatOf } from './statement.ts'
import { dayOf, type Value, type Valuer, valuer } from './values.ts'

const DAY_MS = 86_400_000

type Line = { movement: Movement; section: TaxSection; value: Value }
/** `unvalued`: how many lines have no value. */
type Sum = { units: bigint; usdCents: bigint; eurCents: bigint; unvalued: number }

/** The movements that are dated in the year, in batches, each with its section and value. */
async function* taxLines(context: Context, { holder, period, after, until }: Asked, values: Valuer): AsyncGenerator<Line[]> {
  const { start, end } = spanOf(period)
  for await (const read of movementsBetween(context.db, holder.userId, { after, until })) {
    const movements = read.filter(({ at }) => at >= start && at < end)
    await values.load(movements.map(dayOf))
    const isPurchase = (movement: Movement) =>
      movement.reason === 'order_completed' && movement.counterpart === 'treasury' && !isBonus(movement)
    const paid = await packagePrices(context.db, [...new Set(movements.filter(isPurchase).map(({ sourceId }) => sourceId))])
    yield movements.map((movement) => {
      const price = isPurchase(movement) ? paid.get(movement.sourceId) : undefined
      const ofKind = taxSectionOf(lineKind(movement.reason, movement.counterpart), movement.amount > 0n)
      const section = isBonus(movement) ? 'reward' : ofKind
      return { movement, section, value: price ?? values.valueOn(dayOf(movement), movement.currency, movement.amount) }
    })
  }
}

export async function makeTaxReport(context: Context, asked: Asked): Promise<Made> {
  const { period, issuer, createdAt, holder } = asked
  const texts = textsOf(holder.locale).statement
  const { columns } = texts
  const { start, end } = spanOf(period)
  const values = valuer(context.db)
  const pdf = createPdf({ title: texts.taxTitle(period), locale: holder.locale, issuer, createdAt })
  head(pdf, asked, {
    title: texts.taxHeading(period),
    firstDay: utcDay(start),
    lastDay: utcDay(new Date(end.getTime() - DAY_MS))
  })
  pdf.paragraph(texts.taxAbout, { muted: true })
  const csv = [
    csvRow([`${columns.date} (UTC)`, texts.sums, columns.what, columns.currency, columns.amount, columns.usd, columns.eur])
  ]
  const sums = new Map<string, Sum>()
  const rowsOf: Record<TaxSection, string[][]> = { acquisition: [], reward: [], disposal: [], transfer: [] }
  for await (const lines of taxLines(context, asked, values))
    for (const { movement, section, value } of lines) {
      add(sums, `${section} ${movement.currency}`, movement.amount, value)
      rowsOf[section].push(rowOf(movement, value, texts))
      const figures = [plainUnits(movement.amount, movement.currency), plainCents(value.usdCents), plainCents(value.eurCents)]
      csv.push(
        csvRow([
          formatExactMoment(movement.at.toISOString()),
          texts.sections[section],
          whatOf(movement, texts),
          movement.currency,
          ...figures
        ])
      )
    }
  await sumTable(pdf, sums)
  let count = 0
  for (const section of TAX_SECTIONS) {
    pdf.heading(2, texts.sections[section])
    const rows = rowsOf[section]
    if (rows.length === 0) pdf.paragraph(texts.sectionNone, { muted: true })
    else count += await pdf.table(texts.sections[section], lineColumns(texts), rows)
  }
  // The report selects by date, not from posting to posting, so it has no balances.
  return { opening: {}, closing: {}, lines: count, pdf: await pdf.finish(), csv: csv.join('') }
}

function add(sums: Map<string, Sum>, key: string, amount: bigint, { usdCents, eurCents }: Value): void {
  const sum = sums.get(key) ?? { units: 0n, usdCents: 0n, eurCents: 0n, unvalued: 0 }
  sum.units += amount
  sum.usdCents += usdCents ?? 0n
  sum.eurCents += eurCents ?? 0n
  if (usdCents === undefined || eurCents === undefined) sum.unvalued += 1
  sums.set(key, sum)
}

async function sumTable(pdf: ReturnType<typeof createPdf>, sums: Map<string, Sum>): Promise<void> {
  const texts = textsOf(pdf.locale).statement
  const { columns } = texts
  pdf.heading(2, texts.sums)
  const rows = TAX_SECTIONS.flatMap((section) =>
    [...sums]
      .filter(([key]) => key.startsWith(`${section} `))
      .map(([key, { units, usdCents, eurCents, unvalued }]) => {
        const currency = key.slice(section.length + 1)
        const amount = `${units < 0n ? '−' : ''}${formatExactUnits(units < 0n ? -units : units, currency)} ${currency}`
        const name = texts.sections[section] + (unvalued > 0 ? ` (${texts.unvalued(unvalued)})` : '')
        return [name, amount, cents(usdCents, 'USD'), cents(eurCents, 'EUR')]
      })
  )
  if (rows.length === 0) {
    pdf.paragraph(texts.none)
    return
  }
  await pdf.table(
    texts.sums,
    [
      { label: columns.what, share: 40 },
      { label: columns.amount, share: 28, align: 'right' },
      { label: columns.usd, share: 16, align: 'right' },
      { label: columns.eur, share: 16, align: 'right' }
    ],
    rows
  )
}

const lineColumns = ({ columns }: StatementTexts) => [
  { label: columns.date, share: 12 },
  { label: columns.what, share: 32 },
  { label: columns.amount, share: 30, align: 'right' as const },
  { label: columns.usd, share: 14, align: 'right' as const },
  { label: columns.eur, share: 14, align: 'right' as const }
]

function rowOf(movement: Movement, { usdCents, eurCents }: Value, texts: StatementTexts): string[] {
  const amount = `${formatSigned(movement.amount.toString(), movement.currency)} ${movement.currency}`
  return [formatDay(movement.at.toISOString()), whatOf(movement, texts), amount, cents(usdCents, 'USD'), cents(eurCents, 'EUR')]
}
