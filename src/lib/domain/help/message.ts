/** Messages to support. */
export const LONGEST_MESSAGE = 4000
/** What may go with one, besides who sent it; the server says who that is. */
export const CONTEXT_KINDS = ['page', 'order', 'answer', 'zone', 'browser'] as const
export type ContextKind = (typeof CONTEXT_KINDS)[number]
