/** Times of the desk's sessions, keys and proposals. */

const HOUR_SECONDS = 3600
export const SESSION_SECONDS = 8 * HOUR_SECONDS
/** A passkey's answer to the question about one act is taken for this long. */
export const ACT_SECONDS = 120
export const INVITATION_SECONDS = 72 * HOUR_SECONDS
export const PROPOSAL_SECONDS = 24 * HOUR_SECONDS
/** How long one person holds an account alone, and at most. */
export const HOLD_DAYS = { short: 1, longest: 30 } as const
export const MOST_KEYS = 10
