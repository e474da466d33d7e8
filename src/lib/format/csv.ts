/** Files for spreadsheets (RFC 4180). */

import type { Answer } from '#lib/contract/types.ts'
import type { EuroLine } from '#lib/domain/euro/sample.ts'
import type { LineKind } from '#lib/domain/ledger/statement.ts'
import { findToken } from '#lib/domain/money/currencies.ts'
import { toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { activityTexts } from '#messages/activity/activity.ts'
import { depositListTexts } from '#messages/deposits/deposit.ts'
import { euroHistoryTexts } from '#messages/euro/euro.ts'
import { p2pTexts } from '#messages/p2p/p2p.ts'
import { statementTexts } from '#messages/wallet/statement.ts'
import { withdrawalListTexts, withdrawTexts } from '#messages/withdrawals/withdraw.ts'
import { type ActivityLine, showActivity } from './activity.ts'
import { formatExactMoment } from './dates.ts'
import { counterpartLabel, KIND_LABELS } from './statement.ts'
import { depositLabel } from './status.ts'
import type { View } from './view.ts'
import { withdrawalLabel } from './withdrawals.ts'

type Line = {
  at: string
  kind: LineKind
  counterpart: Parameters<typeof counterpartLabel>[0]
  amount: string
  balanceAfter: string
  orderId: string | null
}

/** Adds quotes where needed, and an apostrophe where a spreadsheet would run the text as a formula. */
function csvCell(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text)
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Amounts as plain decimals with every digit. */
export function statementCsv({ currency, lines }: { currency: string; lines: Line[] }, decimals: number): string {
  const plain = (units: string) => writeDecimal(toDecimal(BigInt(units), decimals))
  const { date, whatHappened, counterpart, order, amountIn, balanceAfterIn } = statementTexts
  const head = [date, whatHappened, counterpart, order, amountIn(currency), balanceAfterIn(currency)]
  const rows = lines.map((line) => [
    formatExactMoment(line.at),
    KIND_LABELS[line.kind],
    counterpartLabel(line.counterpart),
    line.orderId ?? '',
    plain(line.amount),
    plain(line.balanceAfter)
  ])
  return written([head, ...rows])
}

/** One line of such a file, with its end. */
export function csvRow(cells: string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function written(rows: string[][]): string {
  return `${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`
}

/** Dates in the customer's time zone, amounts as plain decimals with every digit, values in the currency of display. */
export function activityCsv(lines: ActivityLine[], { currency, timeZone }: View): string {
  const { columns, kind: kinds } = activityTexts
  const { date, kind, what, details, state, currency: of, amount, value, order } = columns
  const head = [`${date} (${timeZone})`, kind, what, details, state, of, amount, value(currency), order]
  const rows = lines.map((line) => {
    const shown = showActivity(line)
    const decimals = findToken(line.currency)?.decimals ?? 2
    const sign = line.direction === 'out' ? '-' : ''
    return [
      formatExactMoment(line.at, timeZone),
      kinds[line.kind],
      shown.title,
      shown.details ?? '',
      shown.state?.label ?? '',
      line.currency,
      `${sign}${writeDecimal(toDecimal(BigInt(line.amount), decimals))}`,
      line.valueCents === null ? '' : writeDecimal(toDecimal(BigInt(line.valueCents), 2)),
      line.orderId ?? ''
    ]
  })
  return written([head, ...rows])
}

type Moved = { currency: string; blockchain: string; amount: string; createdAt: string; receiver: string }
const exact = (units: string, currency: string) => {
  const token = findToken(currency)
  return token ? writeDecimal(toDecimal(BigInt(units), token.decimals)) : units
}
const movedCells = ({ currency, blockchain, amount, createdAt, receiver }: Moved, timeZone: string) => [
  formatExactMoment(createdAt, timeZone),
  currency,
  blockchain,
  exact(amount, currency),
  receiver
]

type DepositLine = Answer<'listDeposits'>[number]

export function depositsCsv(lines: DepositLine[], timeZone: string): string {
  const { date, token, amount, receiver, transaction, status } = depositListTexts
  const head = [`${date} (${timeZone})`, token, withdrawTexts.network, amount, receiver, transaction, status]
  const rows = lines.map((line) => [
    ...movedCells(line, timeZone),
    line.txId ?? line.transactionHash ?? '',
    depositLabel(line).label
  ])
  return written([head, ...rows])
}

type WithdrawalLine = Answer<'listWithdrawals'>[number]

export function withdrawalsCsv(lines: WithdrawalLine[], timeZone: string): string {
  const { date, token, amount, receiver, transaction, status } = withdrawalListTexts
  const { network, fee, received } = withdrawTexts
  const head = [`${date} (${timeZone})`, token, network, amount, receiver, fee, received, transaction, status]
  const rows = lines.map((line) => [
    ...movedCells(line, timeZone),
    exact(line.fee, line.currency),
    exact(line.received, line.currency),
    line.transactionId ?? '',
    withdrawalLabel(line.state).label
  ])
  return written([head, ...rows])
}

type TradeLine = Answer<'listP2pTrades'>[number]

export function tradesCsv(lines: TradeLine[], timeZone: string): string {
  const { date, state, counterpart, amount, price, gross, fee, order } = p2pTexts.file
  const [asset, settlement] = [P2P_ASSET, P2P_SETTLEMENT]
  const head = [
    `${date} (${timeZone})`,
    state,
    counterpart,
    amount(asset),
    price(settlement),
    gross(settlement),
    fee(settlement),
    order
  ]
  const rows = lines.map((line) => [
    formatExactMoment(line.created_at, timeZone),
    line.label,
    line.counterpart,
    exact(line.asset_amount, line.asset_currency),
    line.price_per_coin,
    exact(line.gross_settlement_amount, line.settlement_currency),
    exact(line.settlement_fee_amount, line.settlement_currency),
    line.order_id
  ])
  return written([head, ...rows])
}

/** Dates in UTC, as the filter counts days. */
export function euroCsv(lines: EuroLine[]): string {
  const { date, action, amount, iban, remarks } = euroHistoryTexts
  const rows = lines.map((line) => [
    formatExactMoment(line.at),
    line.action,
    writeDecimal(toDecimal(line.amountCents, 2)),
    line.iban,
    line.remarks
  ])
  return written([[`${date} (UTC)`, action, `${amount} (EUR)`, iban, remarks], ...rows])
}
