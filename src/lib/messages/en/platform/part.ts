/** What stands for a part of a page that could not be loaded. */
export const partTexts = {
  tryAgain: 'Try again'
} as const
