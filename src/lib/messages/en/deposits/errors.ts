import type { ErrorCode } from '#lib/contract/errors.ts'

export const depositsErrors = {
  deposit_not_found: 'This deposit does not exist.',
  deposit_details_required: 'Please tell us first who sent your deposit above EUR 1,000.',
  addresses_used_up: 'You have {most} addresses already. Please use one of them: all of them stay yours.'
} satisfies Partial<Record<ErrorCode, string>>
