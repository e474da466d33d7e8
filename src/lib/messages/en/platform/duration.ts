/** Durations in words. */
export const durationTexts = {
  days: (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`,
  minutes: (count: number) => `${count} minute${count === 1 ? '' : 's'}`,
  seconds: (count: number) => `${count} second${count === 1 ? '' : 's'}`
} as const
