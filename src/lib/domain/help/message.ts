/** Messages to support. */
export const LONGEST_MESSAGE = 4000
/** Context that may be sent with a message. The sender is not among it: the server adds them. */
export const CONTEXT_KINDS = ['page', 'order', 'answer', 'zone', 'browser'] as const
export type ContextKind = (typeof CONTEXT_KINDS)[number]
export type ContextLine = { kind: ContextKind; value: string }

/** `open`: somebody waits for us. `answered`: we wait for the customer. A new message opens a case again. */
export type CaseState = 'open' | 'answered' | 'closed'
/** The number of a case. */
export const CASE_NUMBER = /^[0-9A-Z]{8}$/
