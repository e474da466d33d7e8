/** The states of an order. Source: spec section 4. */
export const orderStatusTexts = {
  pending: 'Pending',
  processing: 'Processing',
  completed: 'Completed',
  cancelled: 'Cancelled',
  unknown: 'Unknown'
} as const
