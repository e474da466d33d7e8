import type { Answer } from '#lib/contract/types.ts'
import { withdrawalListTexts, withdrawTexts } from '#messages/withdrawals/withdraw.ts'
import { exactDecimal, movedCells } from '../csv.ts'
import { withdrawalLabel } from './status.ts'

type WithdrawalLine = Answer<'listWithdrawals'>[number]

export function withdrawalRows(lines: WithdrawalLine[], timeZone: string): string[][] {
  const { date, token, amount, receiver, transaction, status } = withdrawalListTexts
  const { network, fee, received } = withdrawTexts
  const head = [`${date} (${timeZone})`, token, network, amount, receiver, fee, received, transaction, status]
  const rows = lines.map((line) => [
    ...movedCells(line, timeZone),
    exactDecimal(line.fee, line.currency),
    exactDecimal(line.received, line.currency),
    line.transactionId ?? '',
    withdrawalLabel(line.state).label
  ])
  return [head, ...rows]
}
