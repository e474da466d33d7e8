/** Screening of names against a list of sanctions: before a large credit, and before every withdrawal. */
export { type NameScreen, ScreeningError } from './port.ts'
export { findHit, type Hit, listHits, listState, openHits } from './read.ts'
export {
  decideHit,
  type PayerScreen,
  payerHits,
  payerScreen,
  refreshList,
  screenCustomers,
  screeningJobs,
  withdrawalWaits
} from './screen.ts'
