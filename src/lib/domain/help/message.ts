/** Messages to support. */
export const LONGEST_MESSAGE = 4000
export const MOST_CONTEXT_LINES = 8
