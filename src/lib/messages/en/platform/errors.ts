import type { ErrorCode } from '#lib/contract/errors.ts'

export const platformErrors = {
  invalid_json: 'The request is not valid JSON.',
  invalid_request: 'The request could not be read.',
  signature_invalid: 'The signature is not valid.',
  not_found: 'Nothing was found at this address.',
  method_not_allowed: 'This address does not support this method.',
  idempotency_key_reused: 'This Idempotency-Key was already used for another request.',
  body_too_large: 'The request is too large.',
  unsupported_media_type: 'Send the request as application/json.',
  invalid_fields: 'Please correct the form errors.',
  amount_invalid: 'Please enter a valid amount greater than zero.',
  currency_unsupported: 'Unsupported Token',
  too_many_requests: 'Too many attempts. Please wait before trying again.',
  internal: 'An unexpected error occurred.',
  unavailable: 'The service is unavailable at the moment. Please try again.',
  outcome_unknown:
    'It is not known yet whether this was done. Send it again with the same Idempotency-Key: it counts once. Without a key, look first whether it was done.'
} satisfies Partial<Record<ErrorCode, string>>
