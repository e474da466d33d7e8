/** Screening of names against a list of sanctions: before a large credit, and before every withdrawal. */
export { type NameScreen, ScreeningError } from './port.ts'
export { findHit, type Hit, listHits, listState, openHits } from './read.ts'
export {
  decideHit,
  type PayerScreen,
  payerScreen,
  payersRefused,
  refreshList,
  screenCustomers,
  screeningJobs,
  screenPayers,
  withdrawalWaits
} from './screen.ts'
