/** Personal data are shown for this long, and so often an hour: who needs more is reading a list. */
export const REVEALED_MINUTES = 15
export const REVEALS = { max: 30, windowSeconds: 3600 }
