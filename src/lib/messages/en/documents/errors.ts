import type { ErrorCode } from '#lib/contract/errors.ts'

export const documentsErrors = {
  receipt_not_found: 'There is no receipt with this code.'
} satisfies Partial<Record<ErrorCode, string>>
