/** The API's sentences for P2P calls without data (spec section 8). */
export const p2pAnswers = { cancelled: 'Order cancelled successfully!' } as const
