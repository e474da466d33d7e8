/** The bank: incoming payments and the orders that they pay. */
export { paymentActivity } from './activity.ts'
export {
  acceptUpload,
  bankDays,
  bankFileOf,
  closeBankFile,
  keepUpload,
  listBankFiles,
  uploadToAccept
} from './bankFiles.ts'
export { candidatesFor, customersOfAccount } from './candidates.ts'
export { assignPayments, type DecisionRefusal, DecisionRefused, refundPayment } from './decide.ts'
export {
  assignmentOf,
  instructAssignment,
  instructionJobs,
  instructRefund,
  refundIsByHand,
  refusedFor,
  secondPersonWanted,
  verifiedNameOf
} from './instruct.ts'
export { answerRecall, awaitTopUp, leavePayment, openRecall } from './leave.ts'
export {
  type Apart,
  apartOf,
  ordersOfPayment,
  type PaymentStory,
  paymentEntries,
  paymentStory,
  paymentsApart,
  suspenseSum,
  waitingBeside
} from './listed.ts'
export { matchEntry, type Payment } from './match.ts'
export type { Bank, BankEntry } from './port.ts'
export { bankJobs } from './read.ts'
export { type OnPaymentTakenBack, type PaymentHooks, receiveEntry } from './receive.ts'
export {
  cancelRefundFile,
  downloadRefundFile,
  findRefundFile,
  isFileRight,
  listRefundFiles,
  makeRefundFile,
  markRefundFileSent,
  paymentPeople,
  refundStates,
  refundsToFile,
  releaseRefundFile
} from './refundFiles.ts'
export type { Creditor } from './refunds.ts'
export { payments } from './schema.ts'
export { takenBackOf } from './takenBack.ts'
export { undecidedPayments, waitingPayers } from './unfit.ts'
export { paymentChecks } from './verify.ts'
export {
  faultyFiles,
  instructionAge,
  overduePayments,
  statementAge,
  suspenseCents,
  unconfirmedRefunds,
  unequalDays,
  unfiledRefunds
} from './watch.ts'
