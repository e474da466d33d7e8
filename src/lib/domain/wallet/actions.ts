/** The tokens with an order history (spec section 6). */
const ORDER_HISTORY = new Set(['CPC', 'PTC'])

export const hasOrderHistory = (code: string): boolean => ORDER_HISTORY.has(code)
