/** The trades beside the book: the price of each day, and the last trades. */

type Market = {
  today: string
  days: { day: string; price: string; assetAmount: string; trades: number }[]
  last: { at: string; price: string; assetAmount: string }[]
}

const DIGITS = 9

/** Of two markets the newer one has the larger text: it is of a later day, or has a later trade or more of them. */
export function versionOf({ today, days, last }: Market): string {
  return [today, last[0]?.at ?? '', String(days.at(-1)?.trades ?? 0).padStart(DIGITS, '0')].join(' ')
}

/** The trades of the market's own day, UTC; undefined without any. */
export function tradesToday({ today, days }: Market): Market['days'][number] | undefined {
  return days.find(({ day }) => day === today)
}
