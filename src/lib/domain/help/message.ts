/** Messages to support. */
export const LONGEST_MESSAGE = 4000
/** Context that may be sent with a message. The sender is not among it: the server adds them. */
export const CONTEXT_KINDS = ['page', 'order', 'answer', 'zone', 'browser'] as const
export type ContextKind = (typeof CONTEXT_KINDS)[number]
