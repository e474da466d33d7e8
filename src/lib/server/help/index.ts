/** Help: messages to support and their cases. */
export {
  answerCase,
  assignCase,
  casesAbout,
  closeCase,
  findCase,
  listCases,
  noteCase,
  type SupportCase,
  snoozeCase,
  waitingCases
} from './cases.ts'
export { helpHandlers } from './handlers.ts'
