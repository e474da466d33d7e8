/** The rules of sell orders. Source: spec sections 3 to 6; docs/decisions/0026-p2p.md. */

export const P2P_ASSET = 'CPC'
export const P2P_SETTLEMENT = 'USDC'

export const P2P_STATUSES = ['PENDING', 'COMPLETED', 'CANCELLED'] as const
export type P2pStatus = (typeof P2P_STATUSES)[number]

/** Why an order ended before it was sold. `secured`: the customer said that somebody else was signed in. */
export const P2P_ENDS = ['owner', 'expired', 'secured', 'lapsed'] as const
export type P2pEnd = (typeof P2P_ENDS)[number]

/** Days that an order may stand; the last is the default. */
export const P2P_DAYS = [7, 30] as const
export type P2pDays = (typeof P2P_DAYS)[number]

/** Orders that a customer may have open at a time. */
export const MOST_OPEN_ORDERS = 20

/** The book has no pages (spec section 9), but an end: further down, orders cost more than anybody would pay. */
export const BOOK_SIZE = 100

/** How long before its end the seller gets a mail about an order. */
export const NOTICE_BEFORE_MS = 24 * 3_600_000

type Rest = { rest: bigint; smallestFill: bigint }

/** Why an amount cannot be bought of an order; undefined where it can. `leaves_too_little`: nobody could buy what would remain. */
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
 * How an order or a trade is called to a viewer (spec section 4). An order is SELLING while it is open. In the history its
 * trades are SOLD to the maker and BOUGHT to the taker; CANCELLED if cancelled; COMPLETED to everybody else.
 */
export function p2pLabel(status: P2pStatus, viewer: 'maker' | 'taker' | 'neither'): P2pLabel {
  if (status === 'PENDING') return 'SELLING'
  if (status === 'CANCELLED') return 'CANCELLED'
  return viewer === 'maker' ? 'SOLD' : viewer === 'taker' ? 'BOUGHT' : 'COMPLETED'
}
