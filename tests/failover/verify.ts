/** Compares what was acknowledged with what the database has. */
import pg from 'pg'
import type { Booking, Kind } from './load.ts'

export type Verdict = { acked: number; lost: number; doubled: number; untrue: number; decided: number; open: number }

/** How many bookings each owner has, or how often each key was booked. */
const COUNTS: Record<Exclude<Kind, 'transfer'>, string> = {
  fill: 'select taker_id::text as of, count(*)::int as count from p2p_trades where taker_id = any($1::uuid[]) group by 1',
  // An unpaid order of the same package is used again.
  order: 'select user_id::text as of, count(*)::int as count from orders where user_id = any($1::uuid[]) group by 1',
  withdrawal: 'select user_id::text as of, count(*)::int as count from withdrawals where user_id = any($1::uuid[]) group by 1'
}
const MOVES = `select source_id as of, count(*)::int as count from ledger_transactions where source_type = 'move' and source_id = any($1) group by 1`

/** `before`: what owners had before the load, e.g. the withdrawal that made an address known. */
export async function verify(url: string, bookings: Booking[], before: Map<string, number>): Promise<Verdict> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const found = async (text: string, values: string[]) =>
      new Map((await client.query<{ of: string; count: number }>(text, [values])).rows.map(({ of, count }) => [of, count]))
    const verdict: Verdict = {
      acked: bookings.filter(({ outcome }) => outcome === 'acked').length,
      lost: 0,
      doubled: 0,
      untrue: 0,
      decided: bookings.filter(({ wasUnknown, outcome }) => wasUnknown && outcome !== 'open').length,
      open: bookings.filter(({ outcome }) => outcome === 'open').length
    }
    const moves = bookings.filter(({ kind }) => kind === 'transfer')
    const nameOf = ({ owner, key }: Booking) => `${owner}:${key}`
    const moved = await found(MOVES, moves.map(nameOf))
    for (const one of moves) {
      const count = moved.get(nameOf(one)) ?? 0
      if (one.outcome === 'acked' && count === 0) verdict.lost += 1
      if (count > 1) verdict.doubled += 1
      if ((one.outcome === 'refused' || one.outcome === 'failed') && count > 0) verdict.untrue += 1
    }
    for (const kind of ['fill', 'order', 'withdrawal'] as const) {
      const acked = new Map<string, number>()
      const open = new Map<string, number>()
      const ids = new Set<string | undefined>()
      for (const { owner, outcome, id } of bookings.filter((one) => one.kind === kind)) {
        if (kind === 'order' && outcome === 'acked' && ids.has(id)) continue
        ids.add(id)
        acked.set(owner, (acked.get(owner) ?? 0) + (outcome === 'acked' ? 1 : 0))
        open.set(owner, (open.get(owner) ?? 0) + (outcome === 'open' ? 1 : 0))
      }
      const counts = await found(COUNTS[kind], [...acked.keys()])
      for (const [owner, wanted] of acked) {
        const count = (counts.get(owner) ?? 0) - (before.get(`${kind}:${owner}`) ?? 0)
        if (wanted > count) console.log(`lost: ${kind} of ${owner}: ${wanted} acknowledged, ${count} there`)
        verdict.lost += Math.max(0, wanted - count)
        verdict.doubled += Math.max(0, count - wanted - (open.get(owner) ?? 0))
      }
    }
    return verdict
  } finally {
    await client.end()
  }
}
