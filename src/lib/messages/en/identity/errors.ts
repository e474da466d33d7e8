import type { ErrorCode } from '#lib/contract/errors.ts'
import { identityTexts } from './identity.ts'
import { identityPageTexts } from './identityPage.ts'

export const identityErrors = {
  kyc_required: identityPageTexts.required,
  kyc_completed: identityTexts.verified
} satisfies Partial<Record<ErrorCode, string>>
