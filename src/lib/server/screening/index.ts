/** Screening of names against a list of sanctions: before a large credit, and before every withdrawal. */

export { decideHit } from './hits.ts'
export {
  type CreditorScreen,
  creditorScreen,
  type PayerScreen,
  payerScreen,
  payersRefused,
  placesWithHits,
  screenPayers,
  type WaitingPayers
} from './payers.ts'
export { type NameScreen, ScreeningError } from './port.ts'
export { findHit, type Hit, listHits, listState, openHits } from './read.ts'
export { refreshList, screenCustomers, screeningJobs, withdrawalWaits } from './screen.ts'
