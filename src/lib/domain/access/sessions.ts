/** How long sessions and their tokens live. Source: spec section 9; docs/decisions/0010-refresh-tokens.md. */

export const ACCESS_TOKEN_SECONDS = 1800
export const REFRESH_MARGIN_SECONDS = 600
export const SESSION_DAYS = 30
/** Time in which a used refresh token still gets the same successor again. */
export const REFRESH_GRACE_SECONDS = 30
