/** Screening of names against a list of sanctions: before a large credit, and before every withdrawal. */
export { type NameScreen, ScreeningError } from './port.ts'
export { findHit, type Hit, listHits, listState, openHits } from './read.ts'
export {
  type CreditorScreen,
  creditorScreen,
  decideHit,
  type PayerScreen,
  payerScreen,
  payersRefused,
  placesWithHits,
  refreshList,
  screenCustomers,
  screeningJobs,
  screenPayers,
  withdrawalWaits
} from './screen.ts'
