import type { ErrorCode } from '#lib/contract/errors.ts'
import { newsTexts } from './news.ts'

export const newsErrors = {
  news_not_found: newsTexts.notFound
} satisfies Partial<Record<ErrorCode, string>>
