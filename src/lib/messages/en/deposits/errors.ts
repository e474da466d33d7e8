import type { ErrorCode } from '#lib/contract/errors.ts'

export const depositsErrors = {
  deposit_not_found: 'This deposit does not exist.',
  deposit_details_required: 'First, please tell us who sent your deposit above EUR 1,000.',
  addresses_used_up: 'You already have {most} addresses. Please use one of them: they all stay yours.'
} satisfies Partial<Record<ErrorCode, string>>
