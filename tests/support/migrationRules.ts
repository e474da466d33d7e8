/** Statements that a migration must not use, because processes of the last release keep running. A line `-- reason: …` exempts one. */
const REASON = /^-- reason: \S/m
/** Tables that grow with every customer or booking: creating an index on them takes long. */
const LARGE = [
  'accounts',
  'chain_blocks',
  'deposits',
  'documents',
  'jobs',
  'ledger_transactions',
  'notices',
  'orders',
  'p2p_orders',
  'p2p_trades',
  'payments',
  'payouts',
  'postings',
  'refresh_tokens',
  'sessions',
  'stakes',
  'users',
  'withdrawals'
]

const RULES: [what: string, pattern: RegExp][] = [
  ['renames: processes of the last release ask by the old name', /\bRENAME\b/i],
  ['removes a column or a table that processes of the last release may use', /\bDROP\s+(COLUMN|TABLE)\b/i],
  ['demands a value that processes of the last release do not write', /\bSET\s+NOT\s+NULL\b/i],
  [
    'adds a column without a default that processes of the last release do not write',
    /\bADD\s+COLUMN\s+"?\w+"?\s+(?:(?!DEFAULT)[^;])*NOT\s+NULL(?:(?!DEFAULT)[^;])*(?:;|$)/i
  ],
  ['changes a type, which writes the whole table anew under a lock', /\bALTER\s+COLUMN\s+"?\w+"?\s+(SET\s+DATA\s+)?TYPE\b/i],
  ['widens the words of a state, which processes of the last release then meet', /\bDROP\s+CONSTRAINT\s+"?\w+_known"?/i],
  [
    'adds a CHECK or a foreign key that looks at every row under a lock: add it NOT VALID, then VALIDATE it',
    /\bADD\s+CONSTRAINT\b(?![^;]*\bNOT\s+VALID\b)[^;]*\b(CHECK|FOREIGN\s+KEY)\b/i
  ],
  ['defines a function, which stands in a file of its own', /\bCREATE\s+(OR\s+REPLACE\s+)?(FUNCTION|VIEW)\b/i],
  [
    'makes an index on a large table without CONCURRENTLY',
    new RegExp(`\\bCREATE\\s+(UNIQUE\\s+)?INDEX\\s+(?!CONCURRENTLY)[^;]*\\bON\\s+"?(${LARGE.join('|')})"?\\b`, 'i')
  ],
  ['makes an index CONCURRENTLY within a transaction', /\bCREATE\s+(UNIQUE\s+)?INDEX\s+CONCURRENTLY\b/i]
]

/** A line for each rule that a statement of the migration breaks. */
export function faultsOf(step: string): string[] {
  const isAlone = step.startsWith('-- no transaction')
  return step.split('--> statement-breakpoint').flatMap((statement) => {
    if (REASON.test(statement)) return []
    const plain = statement.replace(/--.*/g, '')
    return RULES.filter(([what]) => !(isAlone && what.endsWith('within a transaction')))
      .filter(([, pattern]) => pattern.test(plain))
      .map(([what]) => `${what}: ${plain.trim().split('\n')[0]}`)
  })
}
