/** Makes the receipts of completed orders. */
import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import { encode } from 'uqr'
import { groupReceiptCode, RECEIPT_CODE_LENGTH } from '#lib/domain/documents/receipt.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { packageById, packageName } from '#lib/domain/orders/packages.ts'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { maturesAt } from '#lib/domain/orders/term.ts'
import { formatCents, formatExact, formatExactUnits, formatRate } from '#lib/format/amount.ts'
import { formatDay, formatMoment } from '#lib/format/dates.ts'
import { textsOf } from '#lib/messages/index.ts'
import { euroBookedFor } from '../ledger/index.ts'
import { type OrderRow, orders, releasesOf } from '../orders/index.ts'
import type { Company } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { hashToken, randomReadable } from '../platform/crypto.ts'
import { receipts } from './schema.ts'
import { type Holder, readHolder } from './values.ts'

const AT_ONCE = 200
const QR_SIZE = 96

/** For orders that were completed before receipts existed, or by a process of an older version. */
export async function makeMissingReceipts(context: Context, issuer: Company): Promise<void> {
  let failed: unknown
  for (let from = ''; ; ) {
    const missing = await context.db
      .select({ id: orders.id })
      .from(orders)
      .leftJoin(receipts, eq(receipts.orderId, orders.id))
      .where(and(eq(orders.status, ORDER_STATUS.completed), isNull(receipts.orderId), gt(orders.id, from)))
      .orderBy(asc(orders.id))
      .limit(AT_ONCE)
    for (const { id } of missing)
      await makeReceipt(context, issuer, id).catch((error: unknown) => {
        context.log.error({ err: error, order: id }, 'a receipt was not made')
        failed = error
      })
    from = missing.at(-1)?.id ?? ''
    if (missing.length < AT_ONCE) break
  }
  if (failed) throw failed
}

/** Makes the receipt of an order; a second one is never made. Throws if the order is not completed. */
export async function makeReceipt(context: Context, issuer: Company, orderId: string): Promise<void> {
  const { db, clock } = context
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  if (order?.status !== ORDER_STATUS.completed) throw new Error(`The order ${orderId} is not completed`)
  const [known] = await db.select({ orderId: receipts.orderId }).from(receipts).where(eq(receipts.orderId, orderId))
  if (known) return
  const [code, createdAt] = [randomReadable(RECEIPT_CODE_LENGTH), clock()]
  const pdf = await drawReceipt(context, { order, holder: await readHolder(context, order.userId), issuer, code, createdAt })
  await db
    .insert(receipts)
    .values({ orderId, codeHash: hashToken(code), pdf, createdAt })
    .onConflictDoNothing()
}

type Drawn = { order: OrderRow; holder: Holder; issuer: Company; code: string; createdAt: Date }

async function drawReceipt({ db, origin }: Context, { order, holder, issuer, code, createdAt }: Drawn): Promise<Uint8Array> {
  const texts = textsOf(holder.locale).receipt
  const number = groupReference(order.id)
  const url = `${origin}/verify/${code}`
  // Loaded with the first receipt.
  const { createPdf } = await import('./pdf.ts')
  const pdf = createPdf({ title: texts.title(number), locale: holder.locale, issuer, createdAt })
  pdf.heading(1, texts.heading)
  pdf.paragraph(`${issuer.name}, ${issuer.address}`, { muted: true })
  pdf.facts(factsOf(order, holder, await euroBookedFor(db, order.id)))
  pdf.heading(2, texts.verify)
  pdf.paragraph(texts.verifyAbout(url))
  pdf.facts([[texts.code, groupReceiptCode(code)]])
  const { size, data } = encode(url, { border: 0 })
  const module = QR_SIZE / size
  pdf.drawing(texts.qr(url), QR_SIZE, (doc, left, top) => {
    for (const [row, cells] of data.entries())
      for (const [column, isDark] of cells.entries())
        if (isDark) doc.rect(left + column * module, top + row * module, module, module)
    doc.fill()
  })
  return pdf.finish()
}

function factsOf(order: OrderRow, holder: Holder, euroCents: bigint): [string, string][] {
  const texts = textsOf(holder.locale).receipt
  const config = packageById(order.configId)
  if (!config) throw new Error(`Order ${order.id} is of a package that does not exist: ${order.configId}`)
  const at = (moment: Date | null) => (moment ? `${formatMoment(moment.toISOString())} UTC` : '–')
  const tokens = (units: bigint) => `${formatExactUnits(units, config.type)} ${config.type}`
  const releases = releasesOf(order)
  const facts: [string, string | undefined][] = [
    [texts.number, groupReference(order.id)],
    [texts.customer, holder.name ?? undefined],
    [texts.email, holder.email],
    [texts.package, packageName(config)],
    [texts.orderedAt, at(order.createdAt)],
    [texts.completedAt, at(order.completedAt)],
    [texts.price, formatCents(order.fiatCents)],
    [texts.fee, formatCents(order.feeCents)],
    [texts.total, formatCents(order.totalCents)],
    [texts.paid, formatCents(euroCents, 'EUR')],
    [texts.rate, texts.rateOf(formatExact(order.eurPerUsd), order.eurPerUsdSource)],
    [texts.method, 'Bank Transfer'],
    [texts.tokens, tokens(order.cpcUnits + order.ptcUnits)],
    [texts.tokenPrice, `$${formatExact(order.ptcPriceUsd ?? order.cpcPriceUsd)}`],
    [
      texts.staking,
      order.stakeStartsAt && order.stakingMonths > 0
        ? texts.stakingOf(
            order.stakingMonths,
            formatRate(order.stakingRateHundredths),
            formatDay(maturesAt(order.stakeStartsAt, order.stakingMonths).toISOString())
          )
        : undefined
    ],
    [
      texts.bonus(formatRate(order.bonusRateHundredths)),
      (releases && texts.bonusOf(tokens(order.bonusUnits), formatDay(releases.first), formatDay(releases.last))) || undefined
    ]
  ]
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]))
}
