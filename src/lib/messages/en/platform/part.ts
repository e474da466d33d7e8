/** Shown instead of a part of the page that could not be loaded. */
export const partTexts = {
  tryAgain: 'Try again'
} as const
