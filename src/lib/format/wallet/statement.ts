/** Formats the lines of a statement for the customer. */

import { BRAND } from '#lib/domain/brand.ts'
import type { LineKind, StatementAccount } from '#lib/domain/ledger/statement.ts'
import { statementTexts } from '#messages/wallet/statement.ts'
import { formatExactUnits, formatShortUnits } from '../amount.ts'

export const ACCOUNT_LABELS: Record<StatementAccount, string> = statementTexts.accounts

/** Which accounts each figure is the sum of, in words. */
export const ACCOUNT_EXPLANATIONS: Record<StatementAccount, string> = statementTexts.explanations

export const KIND_LABELS: Record<LineKind, string> = statementTexts.kinds

type Counterpart = { owner: 'you' | 'house' | 'customer'; account: string }

export function counterpartLabel({ owner, account }: Counterpart): string {
  if (owner === 'you') return statementTexts.yourAccount(account)
  return owner === 'house' ? BRAND.name : statementTexts.anotherCustomer
}

/** `+1,000.5` or `−3`: every digit, with its sign. */
export function formatSigned(units: string, token: string): string {
  return signed(units, (amount) => formatExactUnits(amount, token))
}

/** The same for lists: at most three decimals. */
export function formatShortSigned(units: string, token: string): string {
  return signed(units, (amount) => formatShortUnits(amount, token))
}

function signed(units: string, format: (amount: string) => string): string {
  const isNegative = units.startsWith('-')
  return `${isNegative ? '−' : '+'}${format(isNegative ? units.slice(1) : units)}`
}
