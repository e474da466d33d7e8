/** The states of a deposit. Source: spec section 4. */
export const depositStatusTexts = { PENDING: 'Pending', TX_CONFIRMED: 'Confirmed', CREDITED: 'Credited' } as const
