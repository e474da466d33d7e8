/** What the API says after a call of P2P without data (spec section 8). */
export const p2pAnswers = { cancelled: 'Order cancelled successfully!' } as const
