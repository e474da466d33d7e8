/** Recalls of payments by the payer's bank. Source: SEPA Credit Transfer rulebook, camt.056 and camt.029. */

/** Why the bank asks: sent twice, technical fault, fraud, the customer asks, wrong account, wrong amount, the bank's own mistake. */
export const RECALL_REASONS = ['DUPL', 'TECH', 'FRAD', 'CUST', 'AC03', 'AM09', 'AGNT'] as const
export type RecallReason = (typeof RECALL_REASONS)[number]

/** What we answer. The money of an accepted one goes back by a refund of its own. */
export const RECALL_ANSWERS = ['accepted', 'refused'] as const
export type RecallAnswer = (typeof RECALL_ANSWERS)[number]
