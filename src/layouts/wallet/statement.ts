/** Reads the query of a statement's URL. */
import { LINE_KINDS, type LineKind, STATEMENT_ACCOUNTS, type StatementAccount } from '#lib/domain/ledger/statement.ts'

type Filter = { account: StatementAccount; kind?: LineKind; from?: string; to?: string }

/** Names that do not exist are left out; the API rejects invalid days. */
export function readStatementFilter(search: URLSearchParams): Filter {
  const kind = LINE_KINDS.find((one) => one === search.get('kind'))
  const [from, to] = [search.get('from'), search.get('to')]
  return {
    account: STATEMENT_ACCOUNTS.find((one) => one === search.get('account')) ?? 'total',
    ...(kind && { kind }),
    ...(from && { from }),
    ...(to && { to })
  }
}

/** Reads the requested page: lines older or newer than a given line; without one, the newest lines. */
export function readStatementCursor(search: URLSearchParams): { before?: string; after?: string } {
  const isLine = (text: string | null): text is string => text !== null && /^\d{1,18}$/.test(text)
  const [before, after] = [search.get('before'), search.get('after')]
  if (isLine(before)) return { before }
  return isLine(after) ? { after } : {}
}
