/** The time left in a bonus window. */
export const timeLeftTexts = { days: (count: number) => `${count} ${count === 1 ? 'day' : 'days'}` } as const
