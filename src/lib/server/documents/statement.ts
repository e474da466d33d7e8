/** The quarterly statement: as PDF for people, as CSV for spreadsheets. Lines are read and written in batches. */

import { spanOf } from '#lib/domain/documents/periods.ts'
import { CUSTOMER_KINDS, type CustomerKind, type Holding, totalOf } from '#lib/domain/ledger/holdings.ts'
import { lineKind } from '#lib/domain/ledger/reasons.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { formatCents, formatExactUnits } from '#lib/format/amount.ts'
import { csvRow } from '#lib/format/csv.ts'
import { formatDay, formatExactMoment } from '#lib/format/dates.ts'
import { formatSigned, KIND_LABELS } from '#lib/format/wallet/statement.ts'
import { type LanguageTexts, textsOf } from '#lib/messages/index.ts'
import { heldAt, type Movement, movementsBetween } from '../ledger/index.ts'
import type { Company } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { utcDay } from '../rates/index.ts'
import { END_OF_PLANS, plannedLines } from '../staking/index.ts'
import { createPdf, type Pdf } from './pdf.ts'
import { dayOf, type Holder, type Value, type Valuer, valuer } from './values.ts'

const DAY_MS = 86_400_000

export type Asked = { holder: Holder; period: string; after: bigint; until: bigint; issuer: Company; createdAt: Date }
export type Made = {
  opening: Record<string, string>
  closing: Record<string, string>
  lines: number
  pdf: Uint8Array
  csv: string
}

export const cents = (value: bigint | undefined, currency: 'USD' | 'EUR') =>
  value === undefined ? '–' : formatCents(value, currency)
export const plainCents = (value: bigint | undefined) => (value === undefined ? '' : writeDecimal(toDecimal(value, 2)))
export const plainUnits = (units: bigint, currency: string) => writeDecimal(toDecimal(units, decimalsOf(currency)))

export type StatementTexts = LanguageTexts['statement']

/** The text of a line: its kind, and the order that it belongs to. */
export const whatOf = (movement: Movement, texts: StatementTexts): string => {
  const { reason, counterpart, sourceType, sourceId } = movement
  const name = isBonus(movement) ? texts.bonus : KIND_LABELS[lineKind(reason, counterpart)]
  return name + (sourceType === 'order' ? ` ${sourceId}` : '')
}

/** True for the bonus of a package of the promotion: it is booked with its order, and locked. */
export const isBonus = ({ reason, account }: Movement): boolean => reason === 'order_completed' && account === 'locked'

type Sums = { opening: bigint; in: bigint; out: bigint; closing: bigint }

/** The opening and closing balance of every currency that the customer has or had, and the sums that came in and went out. */
async function sumUp(context: Context, { holder, after, until }: Asked) {
  const [before, held] = [await heldAt(context.db, holder.userId, after), await heldAt(context.db, holder.userId, until)]
  const sums = new Map<string, Sums>()
  const of = (currency: string) => {
    const known = sums.get(currency) ?? { opening: 0n, in: 0n, out: 0n, closing: 0n }
    sums.set(currency, known)
    return known
  }
  for (const [currency, holding] of before) of(currency).opening = totalOf(holding)
  for (const [currency, holding] of held) of(currency).closing = totalOf(holding)
  for await (const movements of movementsBetween(context.db, holder.userId, { after, until }))
    for (const { currency, amount } of movements) {
      if (amount > 0n) of(currency).in += amount
      else of(currency).out -= amount
    }
  for (const [currency, { opening, in: came, out, closing }] of sums) {
    if (opening + came - out !== closing)
      throw new Error(`The movements of ${holder.userId} in ${currency} do not lead from the opening to the closing balance`)
    if (opening === 0n && closing === 0n && came === 0n) sums.delete(currency)
  }
  return { sums: new Map([...sums].sort(([a], [b]) => a.localeCompare(b))), held }
}

/** Throws if the movements do not lead from the opening to the closing balance. */
export async function makeStatement(context: Context, asked: Asked): Promise<Made> {
  const { period, issuer, createdAt, holder } = asked
  const texts = textsOf(holder.locale).statement
  const { start, end } = spanOf(period)
  const [firstDay, lastDay] = [utcDay(start), utcDay(new Date(end.getTime() - DAY_MS))]
  // Valued by the prices of the last day, or of today if the sandbox has closed the quarter before its end.
  const [madeOn, values] = [utcDay(createdAt), valuer(context.db)]
  const valuedOn = lastDay < madeOn ? lastDay : madeOn
  await values.load([valuedOn])
  const { sums, held } = await sumUp(context, asked)
  const pdf = createPdf({ title: texts.title(period), locale: holder.locale, issuer, createdAt })
  const csv = [csvRow(csvHead(texts))]
  head(pdf, asked, { title: texts.heading, firstDay, lastDay })
  pdf.paragraph(texts.about, { muted: true })
  await summary(pdf, sums, { firstDay, lastDay, worthOf: (currency, units) => values.valueOn(valuedOn, currency, units) })
  await parts(pdf, held)
  let lines = 0
  for (const [currency, { opening, closing }] of sums) {
    pdf.heading(2, texts.movements(currency))
    csv.push(csvRow([currency, `${firstDay} 00:00:00`, texts.openingLine, '', plainUnits(opening, currency), '', '']))
    lines += await movementTable(context, asked, { pdf, csv, values, currency, opening })
    const worth = values.valueOn(valuedOn, currency, closing)
    const last = [plainUnits(closing, currency), plainCents(worth.usdCents), plainCents(worth.eurCents)]
    csv.push(csvRow([currency, `${lastDay} 23:59:59`, texts.closingLine, '', ...last]))
  }
  await schedule(pdf, context, asked)
  const written = (part: 'opening' | 'closing') =>
    Object.fromEntries([...sums].filter(([, sum]) => sum[part] > 0n).map(([currency, sum]) => [currency, sum[part].toString()]))
  return { opening: written('opening'), closing: written('closing'), lines, pdf: await pdf.finish(), csv: csv.join('') }
}

const csvHead = ({ columns }: StatementTexts) => [
  columns.currency,
  `${columns.date} (UTC)`,
  columns.what,
  columns.amount,
  columns.balance,
  columns.usd,
  columns.eur
]

/** The head of a document: its customer, issuer and period. */
export function head(
  pdf: Pdf,
  { holder, issuer, createdAt }: Asked,
  { title, firstDay, lastDay }: { title: string; firstDay: string; lastDay: string }
): void {
  const texts = textsOf(pdf.locale).statement
  pdf.heading(1, title)
  pdf.paragraph(`${issuer.name}, ${issuer.address}`, { muted: true })
  pdf.facts([
    ...(holder.name ? [[texts.customer, holder.name] as [string, string]] : []),
    [texts.email, holder.email],
    [texts.period, texts.periodOf(formatDay(firstDay), formatDay(lastDay))],
    [texts.made, `${formatExactMoment(createdAt.toISOString())} UTC`]
  ])
}

async function summary(
  pdf: Pdf,
  sums: Map<string, Sums>,
  { firstDay, lastDay, worthOf }: { firstDay: string; lastDay: string; worthOf: (currency: string, units: bigint) => Value }
): Promise<void> {
  const texts = textsOf(pdf.locale).statement
  const { columns } = texts
  pdf.heading(2, texts.summary)
  if (sums.size === 0) {
    pdf.paragraph(texts.none)
    return
  }
  const total: Value = { usdCents: 0n, eurCents: 0n }
  const rows = [...sums].map(([currency, sum]) => {
    const value = worthOf(currency, sum.closing)
    // If the value of a part is unknown, so is the total.
    for (const key of ['usdCents', 'eurCents'] as const) {
      const [so, far] = [total[key], sum.closing === 0n ? 0n : value[key]]
      total[key] = so === undefined || far === undefined ? undefined : so + far
    }
    const amounts = [sum.opening, sum.in, sum.out, sum.closing].map((units) => formatExactUnits(units, currency))
    return [currency, ...amounts, cents(value.usdCents, 'USD'), cents(value.eurCents, 'EUR')]
  })
  await pdf.table(
    texts.summary,
    [
      { label: columns.currency, share: 9 },
      { label: columns.opening(formatDay(firstDay)), share: 22, align: 'right' },
      { label: columns.in, share: 22, align: 'right' },
      { label: columns.out, share: 22, align: 'right' },
      { label: columns.closing(formatDay(lastDay)), share: 22, align: 'right' },
      { label: columns.usd, share: 14, align: 'right' },
      { label: columns.eur, share: 14, align: 'right' }
    ],
    rows
  )
  pdf.facts([[texts.total, `${cents(total.usdCents, 'USD')} · ${cents(total.eurCents, 'EUR')}`]])
}

/** The closing balances by account. */
async function parts(pdf: Pdf, held: Map<string, Holding>): Promise<void> {
  const has = (kind: CustomerKind) => [...held.values()].some((holding) => holding[kind] > 0n)
  const kinds = CUSTOMER_KINDS.filter(has)
  const rows = [...held].sort(([a], [b]) => a.localeCompare(b)).filter(([, holding]) => totalOf(holding) > 0n)
  if (rows.length === 0) return
  const texts = textsOf(pdf.locale).statement
  pdf.heading(2, texts.parts)
  await pdf.table(
    texts.parts,
    [
      { label: texts.columns.currency, share: 10 },
      ...kinds.map((kind) => ({ label: texts.accounts[kind], share: 18, align: 'right' as const }))
    ],
    rows.map(([currency, holding]) => [currency, ...kinds.map((kind) => formatExactUnits(holding[kind], currency))])
  )
}

type Writing = { pdf: Pdf; csv: string[]; values: Valuer; currency: string; opening: bigint }

/** Returns how many lines it wrote. */
async function movementTable(context: Context, { holder, after, until }: Asked, writing: Writing): Promise<number> {
  const { pdf, csv, values, currency, opening } = writing
  const texts = textsOf(pdf.locale).statement
  const { columns } = texts
  async function* rows(): AsyncGenerator<string[]> {
    let balance = opening
    for await (const movements of movementsBetween(context.db, holder.userId, { after, until, currency })) {
      await values.load(movements.map(dayOf))
      for (const movement of movements) {
        balance += movement.amount
        const { usdCents, eurCents } = values.valueOn(dayOf(movement), currency, movement.amount)
        const [what, at] = [whatOf(movement, texts), movement.at.toISOString()]
        const exact = [
          plainUnits(movement.amount, currency),
          plainUnits(balance, currency),
          plainCents(usdCents),
          plainCents(eurCents)
        ]
        csv.push(csvRow([currency, formatExactMoment(at), what, ...exact]))
        const amounts = [formatSigned(movement.amount.toString(), currency), formatExactUnits(balance, currency)]
        yield [formatDay(at), what, ...amounts, cents(usdCents, 'USD'), cents(eurCents, 'EUR')]
      }
    }
  }
  const lines = await pdf.table(
    texts.movements(currency),
    [
      { label: columns.date, share: 11 },
      { label: columns.what, share: 37 },
      { label: columns.amount, share: 23, align: 'right' },
      { label: columns.balance, share: 22, align: 'right' },
      { label: columns.usd, share: 14, align: 'right' },
      { label: columns.eur, share: 14, align: 'right' }
    ],
    rows()
  )
  if (lines === 0) pdf.paragraph(texts.noMovements, { muted: true })
  return lines
}

/** The planned payouts as of the end of the quarter, whenever the statement is made. */
async function schedule(pdf: Pdf, context: Context, { holder, period, createdAt }: Asked): Promise<void> {
  const { start, end } = spanOf(period)
  const asOf = end < createdAt ? new Date(end.getTime() - 1) : createdAt
  const lines = await plannedLines(context, holder.userId, { from: utcDay(start), until: END_OF_PLANS, asOf })
  const texts = textsOf(pdf.locale).statement
  const { columns } = texts
  pdf.heading(2, texts.schedule)
  if (lines.length === 0) {
    pdf.paragraph(texts.scheduleNone, { muted: true })
    return
  }
  await pdf.table(
    texts.schedule,
    [
      { label: columns.date, share: 14 },
      { label: columns.what, share: 34 },
      { label: columns.count, share: 12, align: 'right' },
      { label: columns.amount, share: 30, align: 'right' },
      { label: columns.state, share: 16, align: 'right' }
    ],
    lines.map(({ day, kind, currency, units, count, state }) => [
      formatDay(day),
      texts.kinds[kind],
      String(count),
      `${formatExactUnits(units, currency)} ${currency}`,
      texts.states[state]
    ])
  )
}
