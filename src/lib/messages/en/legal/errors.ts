import type { ErrorCode } from '#lib/contract/errors.ts'
import { legalTexts } from './legal.ts'

export const legalErrors = {
  terms_changed: legalTexts.changedMeanwhile
} satisfies Partial<Record<ErrorCode, string>>
