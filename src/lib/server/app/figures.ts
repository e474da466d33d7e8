/** The figures of the whole product that a worker shows at `/metrics`. The monitor's rules judge them; these are for boards and for what rules do not ask. */
import { sql } from 'drizzle-orm'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { undecidedPayments } from '../payments/index.ts'
import type { Context } from '../platform/context.ts'
import { rowsOf } from '../platform/db/client.ts'
import type { Described, Figure } from '../platform/metrics.ts'
import { signedSince } from '../withdrawals/index.ts'
import { knownFaults } from './health.ts'

const DAY_MS = 86_400_000

export const FIGURES: Described = {
  jobs_due: { help: 'Jobs whose time has come', label: 'kind' },
  job_oldest_due_age_seconds: { help: 'How long the oldest due job has waited', label: 'kind' },
  jobs_failed: { help: 'Jobs that have used up their tries', label: 'kind' },
  chain_height: { help: 'The newest block that was read', label: 'chain' },
  chain_read_age_seconds: { help: 'Since a block was read last', label: 'chain' },
  chain_stopped: { help: 'Open stops of a chain: reading or sending', label: 'chain' },
  withdrawals_open: { help: 'Withdrawals that are not over', label: 'state' },
  withdrawal_oldest_age_seconds: { help: 'Since the oldest of them was requested', label: 'state' },
  hot_wallet_coins: { help: 'Coins of the hot wallet when they were compared last', label: 'token' },
  cold_storage_coins: { help: 'Coins of cold storage when they were compared last', label: 'token' },
  claims_over_coins: { help: 'What customers have beyond the coins there are; below zero: there are more coins', label: 'token' },
  custody_compared_age_seconds: { help: 'Since coins and books were compared', label: 'token' },
  price_age_seconds: { help: 'Since the price that is used was quoted', label: 'token' },
  signer_day_left_usd: {
    help: 'Its daily limit less what the signer has signed in the last 24 hours',
    label: 'limit'
  },
  suspense_payments: { help: 'Payments by bank that nobody has decided about', label: 'state' },
  suspense_oldest_age_seconds: { help: 'Since the oldest of them arrived', label: 'state' },
  wal_archived_age_seconds: { help: 'Since the database archived a segment of its log last', label: 'server' },
  wal_archive_failures: { help: 'Tries to archive a segment that failed, since the server counts', label: 'server' },
  heartbeat_age_seconds: { help: 'Since a process of this role, or a part of the work, gave a sign of life', label: 'name' },
  wallet_alarm: { help: '1 while a rule of the monitor is raised', label: 'rule' }
}
/** In whole coins, not in smallest units. */
const IN_COINS = new Set(['hot_wallet_coins', 'cold_storage_coins', 'claims_over_coins'])

/** `signerDayCents`: what the signer signs a day, as the setting says. */
export async function readFigures(context: Pick<Context, 'db' | 'clock'>, signerDayCents: bigint): Promise<Figure[]> {
  const at = context.clock()
  const now = sql`${at.toISOString()}::timestamptz`
  const age = (moment: string) => sql`extract(epoch from ${now} - ${sql.raw(moment)})`
  const read = context.db.execute(sql`
    with due as (select kind, count(*) as count, min(run_at) as first from jobs where failed_at is null and run_at <= ${now} group by kind),
      open as (select state, count(*) as count, min(requested_at) as first from withdrawals
        where state in ('unconfirmed', 'review', 'approved', 'signed') group by state)
    select 'jobs_due' as name, kind as label, count::float8 as value from due
    union all select 'job_oldest_due_age_seconds', kind, ${age('first')} from due
    union all select 'jobs_failed', kind, count(*) from jobs where failed_at is not null group by kind
    union all select 'chain_height', chain, max(height) from chain_blocks group by chain
    union all select 'chain_read_age_seconds', chain, ${age('max(read_at)')} from chain_blocks group by chain
    union all select 'chain_stopped', chain, count(*) from chain_stops where resumed_at is null group by chain
    union all select 'withdrawals_open', state, count from open
    union all select 'withdrawal_oldest_age_seconds', state, ${age('first')} from open
    union all select 'hot_wallet_coins', currency, hot from custody_lines
    union all select 'cold_storage_coins', currency, cold from custody_lines
    union all select 'claims_over_coins', currency, claims - on_chain from custody_lines
    union all select 'custody_compared_age_seconds', currency, ${age('compared_at')} from custody_lines
    union all select 'price_age_seconds', currency, ${age('quoted_at')} from accepted_prices
    union all select 'wal_archived_age_seconds', coalesce(host(inet_server_addr()), 'local'), ${age('coalesce(last_archived_time, stats_reset)')} from pg_stat_archiver where current_setting('archive_mode') <> 'off'
    union all select 'wal_archive_failures', coalesce(host(inet_server_addr()), 'local'), failed_count from pg_stat_archiver where current_setting('archive_mode') <> 'off'
    union all select 'heartbeat_age_seconds', name, ${age('at')} from heartbeats`)
  const [rows, signed, undecided, faults] = await Promise.all([
    read,
    signedSince(context.db, new Date(at.getTime() - DAY_MS)),
    undecidedPayments(context.db),
    knownFaults(context)
  ])
  const oldestAt = Math.min(...undecided.map(({ receivedAt }) => receivedAt.getTime()))
  const found = rowsOf<{ name: string; label: string; value: string | number | null }>(rows).flatMap(({ name, label, value }) => {
    if (value === null) return []
    return [{ name, label, value: Number(value) / (IN_COINS.has(name) ? 10 ** decimalsOf(label) : 1) }]
  })
  // By the rule, not by what it found: some name a withdrawal.
  const rules = new Set(faults.map(({ name }) => name.split(':', 1)[0] ?? name))
  return [
    ...found,
    { name: 'signer_day_left_usd', label: 'day', value: Number(signerDayCents > signed ? signerDayCents - signed : 0n) / 100 },
    { name: 'suspense_payments', label: 'undecided', value: undecided.length },
    ...(undecided.length > 0
      ? [{ name: 'suspense_oldest_age_seconds', label: 'undecided', value: (at.getTime() - oldestAt) / 1000 }]
      : []),
    ...[...rules].map((rule) => ({ name: 'wallet_alarm', label: rule, value: 1 }))
  ]
}
