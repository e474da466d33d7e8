/** The note about the prices' source, or that they are unavailable. Source: spec section 8. */
export const pricesTexts = {
  what: 'prices',
  noAnswer: 'their source does not answer at the moment; your amounts are complete',
  note: (source: string, at: string, isUtc: boolean) => `Prices: ${source}, ${at}${isUtc ? ' UTC' : ''}`
} as const
