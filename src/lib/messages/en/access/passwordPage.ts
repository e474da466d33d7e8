/** The password step as a page of its own. */
export const passwordPageTexts = {
  loading: 'Loading',
  back: 'Back'
} as const
