/** What a notice is about: it decides its mark. */
export const NOTICE_KINDS = ['security', 'identity', 'order', 'payment', 'in', 'out', 'trade', 'reward', 'document'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]
