import type { Answer } from '#lib/contract/types.ts'
import { depositListTexts } from '#messages/deposits/deposit.ts'
import { withdrawTexts } from '#messages/withdrawals/withdraw.ts'
import { movedCells } from '../csv.ts'
import { depositLabel } from './status.ts'

type DepositLine = Answer<'listDeposits'>[number]

export function depositRows(lines: DepositLine[], timeZone: string): string[][] {
  const { date, token, amount, receiver, transaction, status } = depositListTexts
  const head = [`${date} (${timeZone})`, token, withdrawTexts.network, amount, receiver, transaction, status]
  const rows = lines.map((line) => [
    ...movedCells(line, timeZone),
    line.txId ?? line.transactionHash ?? '',
    depositLabel(line).label
  ])
  return [head, ...rows]
}
