/** Recomputes the books from their postings. */
import { type SQL, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '../platform/db/client.ts'
import { ofAccount } from './accountLines.ts'
import { HOUSE_ID } from './schema.ts'

export type LedgerReport = {
  accounts: number
  transactions: number
  postings: number
  currencies: number
  /** Each failed check in words; empty if the books are right. */
  problems: string[]
}

/**
 * `query` returns, in the column `what`, at most 20 rows that fail the check; `says` describes the fault. Features add their own
 * checks.
 */
export type LedgerCheck = { says: string; query: SQL }

const CHECKS: LedgerCheck[] = [
  {
    says: 'the balance differs from the sum of the postings',
    query: sql`
      select a.id || ' ' || a.currency || ' ' || a.kind || ': ' || a.balance || ' against ' || coalesce(s.total, 0) as what
      from accounts a
      left join (
        select account_id, sum(amount) as total from (
          select destination_id as account_id, amount from postings
          union all select source_id, -amount from postings
        ) as sides group by account_id
      ) s on s.account_id = a.id
      where a.balance <> coalesce(s.total, 0) order by a.id limit 20`
  },
  {
    says: 'the currency does not sum to zero',
    query: sql`select currency || ': ' || sum(balance) as what from accounts group by currency having sum(balance) <> 0`
  },
  {
    says: 'a customer account is below zero',
    query: sql`select id || ' ' || currency || ' ' || kind as what from accounts where balance < 0 and owner_id <> ${HOUSE_ID} limit 20`
  },
  {
    says: 'the transaction has no posting',
    query: sql`
      select t.id || ' ' || t.reference as what from ledger_transactions t
      where not exists (select 1 from postings p where p.transaction_id = t.id) limit 20`
  },
  {
    says: 'the last posting left another balance on the account',
    query: sql`
      select a.id || ': ' || a.balance || ' against ' || l.after as what
      from accounts a
      cross join lateral (
        select after from (
          (select p.id, p.source_balance as after from postings p ${ofAccount({ own: 'source', account: 'a.id', order: 'desc' })} limit 1)
          union all
          (select p.id, p.destination_balance from postings p ${ofAccount({ own: 'destination', account: 'a.id', order: 'desc' })} limit 1)
        ) sides order by id desc limit 1
      ) l
      where a.balance <> l.after order by a.id limit 20`
  },
  {
    says: 'a posting left another balance than the sum of the postings up to it',
    query: sql`
      select posting || ' on account ' || account_id || ': ' || after || ' against ' || running as what
      from (
        select id as posting, account_id, after, sum(amount) over (partition by account_id order by id) as running
        from (
          select id, destination_id as account_id, amount, destination_balance as after from postings
          union all select id, source_id, -amount, source_balance from postings
        ) as sides
      ) as lines
      where after <> running order by posting limit 20`
  }
]

/** Runs the checks of the ledger and of the features on one consistent state; changes nothing. `db`: `longDb`, where the books are large. */
export async function verifyLedger(db: Database, featureChecks: LedgerCheck[]): Promise<LedgerReport> {
  return db.transaction(
    async (tx) => {
      const counts = rowsOf<Record<'accounts' | 'transactions' | 'postings' | 'currencies', string>>(
        await tx.execute(sql`
          select (select count(*) from accounts)::text as accounts,
                 (select count(*) from ledger_transactions)::text as transactions,
                 (select count(*) from postings)::text as postings,
                 (select count(distinct currency) from accounts)::text as currencies`)
      )[0]
      const problems: string[] = []
      for (const { says, query } of [...CHECKS, ...featureChecks]) {
        const rows = rowsOf<{ what: string }>(await tx.execute(query))
        problems.push(...rows.map(({ what }) => `${says}: ${what}`))
      }
      return {
        accounts: Number(counts?.accounts),
        transactions: Number(counts?.transactions),
        postings: Number(counts?.postings),
        currencies: Number(counts?.currencies),
        problems
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' }
  )
}
