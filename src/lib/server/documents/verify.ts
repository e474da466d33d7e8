/** Compares documents with each other and with the books. */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

export const documentChecks: LedgerCheck[] = [
  {
    says: 'the opening of a statement is not the closing of the one before',
    query: sql`
      select d.user_id || ' ' || d.period as what
      from documents d
      join lateral (
        select closing, last_posting from documents e
        where e.user_id = d.user_id and e.kind = 'statement' and e.period < d.period order by e.period desc limit 1
      ) b on true
      where d.kind = 'statement' and (b.closing <> d.opening or b.last_posting <> d.after_posting) limit 20`
  },
  {
    says: 'a statement does not end where its quarter was closed',
    query: sql`
      select d.user_id || ' ' || d.period as what
      from documents d left join quarter_cuts c on c.quarter = d.period
      where d.kind = 'statement' and c.last_posting is distinct from d.last_posting limit 20`
  },
  {
    says: 'the closing of a statement is not what the books say',
    query: sql`
      select d.user_id || ' ' || d.period as what
      from documents d
      where d.kind = 'statement' and d.closing <> (
        select coalesce(jsonb_object_agg(h.currency, h.units::text), '{}'::jsonb) from (
          select s.currency, sum(s.units) as units
          from (
            select l.currency, l.amount as units from ledger_lines l where l.to_owner = d.user_id and l.id <= d.last_posting
            union all
            select l.currency, -l.amount from ledger_lines l where l.from_owner = d.user_id and l.id <= d.last_posting
          ) s group by s.currency
        ) h where h.units <> 0
      ) limit 20`
  }
]
