/** The note about the prices' source, or that they are unavailable. Source: spec section 8. */
export const pricesTexts = {
  what: 'prices',
  noAnswer: 'the source is not responding at the moment; your amounts are correct',
  note: (source: string, at: string, isUtc: boolean) => `Prices: ${source}, ${at}${isUtc ? ' UTC' : ''}`
} as const
