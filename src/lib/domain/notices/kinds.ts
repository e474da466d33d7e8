/** What a notice is about: it decides its mark. */
export const NOTICE_KINDS = ['security', 'identity', 'order', 'payment', 'in', 'out', 'trade', 'reward', 'document'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** What a list of notices can be limited to: what moves money, and what is about access and identity. */
export const NOTICE_AREAS = ['money', 'security'] as const
export type NoticeArea = (typeof NOTICE_AREAS)[number]
