/** The geometry of a term's line. Shares are percent of the term with one digit, only for drawing. */
import type { Answer } from '#lib/contract/types.ts'

type Term = NonNullable<Answer<'getStakingSummary'>['term']>
type Dot = { at: number; state: 'made' | 'next' | 'later' }

export function lineOf(
  { startsAt, endsAt, payouts }: Term,
  now: Date
): { dots: Dot[]; passed: number; made: number; next?: Term['payouts'][number] } {
  const [start, end] = [Date.parse(startsAt), Date.parse(endsAt)]
  const at = (time: number) => Math.round(Math.min(1, Math.max(0, (time - start) / (end - start))) * 1000) / 10
  const next = payouts.find(({ isPaid }) => !isPaid)
  // The dots at the ends stay within the drawing.
  const inside = (share: number) => Math.min(98.5, Math.max(1.5, share))
  const dots = payouts.map(({ dueAt, isPaid }): Dot => {
    return { at: inside(at(Date.parse(dueAt))), state: isPaid ? 'made' : dueAt === next?.dueAt ? 'next' : 'later' }
  })
  return {
    dots,
    passed: at(now.getTime()),
    made: payouts.filter(({ isPaid }) => isPaid).length,
    ...(next && { next })
  }
}
