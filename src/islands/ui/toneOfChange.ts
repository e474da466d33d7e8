/** The colour of a gain or of a change of a price. A cent of rounding, or a hundredth of a percent, has none. */
export const toneOfChange = (change: number | bigint) => (change > 1 ? 'text-accent' : change < -1 ? 'text-red' : 'text-muted')
