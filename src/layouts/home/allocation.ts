/** The parts of the ring. The numbers are only for drawing and for whole percents, never for amounts. */
import type { Portfolio } from '#lib/domain/wallet/portfolio.ts'

const MOST = 5

type Share = { name: string; share: number; start: number; label: string }

/** The largest tokens, and the rest as one part; shares in percent. */
export function sharesOf(
  { all, totalCents }: Pick<Portfolio, 'all' | 'totalCents'>,
  others: string
): { shares: Share[]; largest: Share | undefined } {
  if (totalCents === 0n) return { shares: [], largest: undefined }
  const held = all.filter(({ valueCents }) => valueCents > 0n).toSorted((a, b) => (a.valueCents < b.valueCents ? 1 : -1))
  const shown = held.length > MOST ? held.slice(0, MOST - 1) : held
  const rest = held.slice(shown.length).reduce((sum, { valueCents }) => sum + valueCents, 0n)
  const parts = [
    ...shown.map(({ name, valueCents }) => ({ name, cents: valueCents })),
    ...(rest > 0n ? [{ name: others, cents: rest }] : [])
  ]
  let start = 0
  const shares = parts.map(({ name, cents }) => {
    const share = Number((cents * 10_000n) / totalCents) / 100
    const part = { name, share, start, label: share < 1 ? '<1%' : `${Math.round(share)}%` }
    start += share
    return part
  })
  return { shares, largest: shares[0] }
}
