/** Files for spreadsheets. */
export const filesTexts = {
  /** The last row of a file that does not have all lines. */
  newest: (lines: string) =>
    `Older lines are not in this file: it was made from the newest ${lines}. The statements of past quarters, under Documents in your profile, have every movement.`
} as const
