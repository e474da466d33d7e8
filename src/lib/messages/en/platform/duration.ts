/** Durations in words. */
export const durationTexts = {
  minutes: (count: number) => `${count} minute${count === 1 ? '' : 's'}`,
  seconds: (count: number) => `${count} second${count === 1 ? '' : 's'}`
} as const
