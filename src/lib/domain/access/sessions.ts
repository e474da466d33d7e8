/** Lifetimes of sessions and their tokens. Source: spec section 9; docs/decisions/0010-refresh-tokens.md. */

export const ACCESS_TOKEN_SECONDS = 1800
export const REFRESH_MARGIN_SECONDS = 600
export const SESSION_DAYS = 30
/** How long after its use a refresh token still returns the same successor. */
export const REFRESH_GRACE_SECONDS = 30
/** The same while nobody has used the successor: the answer was lost, e.g. while the database moved to another server. */
export const REFRESH_LOST_SECONDS = 180
