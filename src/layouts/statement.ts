/** What the address of a statement asks for. */
import { LINE_KINDS, type LineKind, STATEMENT_ACCOUNTS, type StatementAccount } from '#lib/domain/ledger/statement.ts'

type Filter = { account: StatementAccount; kind?: LineKind; from?: string; to?: string }

/** Names that do not exist are left out; a day that is none is for the API to refuse. */
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
