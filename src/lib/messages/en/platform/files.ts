/** Files for spreadsheets. */
export const filesTexts = {
  /** The last row of a file that does not have all lines. */
  newest: (lines: string) =>
    `Older lines are not in this file: it was made from the newest ${lines}. The statement of each quarter, under Documents in your profile, has every movement.`
} as const
