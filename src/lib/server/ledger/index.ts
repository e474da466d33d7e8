/** The books: what features and `app` may use. */
export { arrivalsByDay, countArrivals, listArrivals } from './arrivals.ts'
export { balancesAt, firstBookingAt } from './balancesAt.ts'
export { arrivalsOf, bookedUnder, correctionsOf, movesOf } from './bookings.ts'
export { feesBetween } from './fees.ts'
export { type FlowRow, flowsAfter } from './flows.ts'
export { holdingsOf, houseBalance, houseBalances, lockedFund, lockedHolding, outgoingTotal } from './holdings.ts'
export { houseLines } from './houseLines.ts'
export { lastOrigins, type Origin } from './origins.ts'
export {
  allMovements,
  customersBookedBy,
  customersHolding,
  euroBookedFor,
  firstTransactionAt,
  heldAt,
  lastPostingBefore,
  type Movement,
  movementsBetween
} from './period.ts'
export {
  type Account,
  AlreadyBookedError,
  type Booking,
  bookingError,
  customerAccount,
  house,
  InsufficientFundsError,
  type Outcome,
  post,
  postMany,
  type Transfer
} from './post.ts'
export { readStatement } from './statement.ts'
export { coverOf, settleStock, stockChecks, stockFor, stockJob, withStock } from './stock.ts'
export { type LedgerCheck, verifyLedger } from './verify.ts'
