/** Months after the start at which the first and the last part of a bonus are released. */
export const BONUS_MONTHS = { first: 13, last: 32 } as const

/** The day on which a term ends: the same day of the month, or the last day of a shorter month. UTC. */
export function maturesAt(start: Date, months: number): Date {
  const end = new Date(start)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay))
  return end
}
