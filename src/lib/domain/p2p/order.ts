/** The rules of sell orders. Source: spec sections 3 to 6; docs/decisions/0026-p2p.md. */

export const P2P_ASSET = 'CPC'
export const P2P_SETTLEMENT = 'USDC'

export const P2P_STATUSES = ['PENDING', 'COMPLETED', 'CANCELLED'] as const
export type P2pStatus = (typeof P2P_STATUSES)[number]

/** Why an order ended before it was sold. `secured`: the seller reported a foreign sign-in. `lapsed`: they may no longer trade. */
export const P2P_ENDS = ['owner', 'expired', 'secured', 'lapsed'] as const
export type P2pEnd = (typeof P2P_ENDS)[number]

/** Days for which an order may stay open; the last is the default. */
export const P2P_DAYS = [7, 30] as const
export type P2pDays = (typeof P2P_DAYS)[number]

/** The most orders that a customer may have open at a time. */
export const MOST_OPEN_ORDERS = 20

/** The book has no pages (spec section 9) but ends here: orders further down cost more than anybody would pay. */
export const BOOK_SIZE = 100

/** The most orders that one purchase across the book takes. */
export const MOST_SWEPT = 20

/** The seller gets a mail this long before an order expires. */
export const NOTICE_BEFORE_MS = 24 * 3_600_000

type Rest = { rest: bigint; smallestFill: bigint }

/** Why an amount cannot be bought from an order; undefined if it can. `leaves_too_little`: the rest would be below the smallest fill. */
export function fillFault(
  { rest, smallestFill }: Rest,
  amount: bigint
): 'too_much' | 'too_little' | 'leaves_too_little' | undefined {
  if (amount > rest) return 'too_much'
  if (amount === rest) return undefined
  if (amount < smallestFill) return 'too_little'
  return rest - amount < smallestFill ? 'leaves_too_little' : undefined
}

export const P2P_LABELS = ['SELLING', 'SOLD', 'BOUGHT', 'CANCELLED', 'COMPLETED'] as const
export type P2pLabel = (typeof P2P_LABELS)[number]

/**
 * The label of an order or a trade for a viewer (spec section 4). An order is SELLING while it is open and CANCELLED if cancelled.
 * When it is completed, the maker sees SOLD, the taker BOUGHT, everybody else COMPLETED.
 */
export function p2pLabel(status: P2pStatus, viewer: 'maker' | 'taker' | 'neither'): P2pLabel {
  if (status === 'PENDING') return 'SELLING'
  if (status === 'CANCELLED') return 'CANCELLED'
  return viewer === 'maker' ? 'SOLD' : viewer === 'taker' ? 'BOUGHT' : 'COMPLETED'
}
