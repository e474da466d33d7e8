/**
 * What a row of the portfolio shows of what a token cost, as text between the page and its island: as objects, each name would stand in the
 * page once a token.
 */
import type { Answer } from '#lib/contract/types.ts'

type Costs = Answer<'getCost'>

/** A token each: code, average price, gain, change of the day; `-` for what is not known. */
export function writeCosts(costs: Costs | undefined): string {
  const lines = costs?.tokens?.map(({ currency, averagePrice, gain, dayChange }) => {
    return `${currency} ${averagePrice ?? '-'} ${gain} ${dayChange ?? '-'}`
  })
  return (lines ?? []).join(';')
}

/** Has only these fields: the island's store gets whole answers with its first fetch. */
export function readCosts(text: string): Costs {
  const tokens = text.split(';').flatMap((line) => {
    const [currency = '', averagePrice = '', gain = '0', dayChange = ''] = line.split(' ')
    return currency === ''
      ? []
      : {
          currency,
          averagePrice: averagePrice === '-' ? null : averagePrice,
          gain,
          dayChange: dayChange === '-' ? null : Number(dayChange)
        }
  })
  return { tokens } as Costs
}
