import type { LineKind } from '#lib/domain/ledger/statement.ts'
import { toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { statementTexts } from '#messages/wallet/statement.ts'
import { formatExactMoment } from '../dates.ts'
import { counterpartLabel, KIND_LABELS } from './statement.ts'

type Line = {
  at: string
  kind: LineKind
  counterpart: Parameters<typeof counterpartLabel>[0]
  amount: string
  balanceAfter: string
  orderId: string | null
}

/** Amounts as plain decimals with every digit. */
export function statementRows(lines: Line[], { code, decimals }: { code: string; decimals: number }): string[][] {
  const plain = (units: string) => writeDecimal(toDecimal(BigInt(units), decimals))
  const { date, whatHappened, counterpart, order, amountIn, balanceAfterIn } = statementTexts
  const head = [date, whatHappened, counterpart, order, amountIn(code), balanceAfterIn(code)]
  const rows = lines.map((line) => [
    formatExactMoment(line.at),
    KIND_LABELS[line.kind],
    counterpartLabel(line.counterpart),
    line.orderId ?? '',
    plain(line.amount),
    plain(line.balanceAfter)
  ])
  return [head, ...rows]
}
