import type { ErrorCode } from '#lib/contract/errors.ts'

export const accessErrors = {
  otp_invalid: 'OTP invalid or expired.',
  code_invalid: 'The code is invalid or expired. Please request a new one.',
  too_soon: 'Please wait before requesting another code.',
  unauthorized: 'Please sign in again.',
  refresh_token_invalid: 'Your session has ended. Please sign in again.',
  credentials_invalid: 'Your email or password is incorrect. Please try again.',
  password_guessable: 'This password is easy to guess. Please choose another one.',
  second_factor_required: 'Enter the code from your authenticator app.',
  second_factor_invalid: 'This code is wrong or already used. Please wait for the next one.',
  ticket_invalid: 'That took too long, or too many codes were wrong. Please sign in again.',
  passkey_invalid: 'This passkey could not be used. Please sign in another way.',
  confirmation_required: 'Please confirm that it’s you.',
  account_locked: 'Your account is locked. Please set a new password first.',
  link_invalid: 'This link is no longer valid.',
  session_not_found: 'This session has already ended.',
  passkey_not_found: 'This passkey no longer exists.',
  totp_not_started: 'Please scan the code with your authenticator app first.',
  totp_not_enabled: 'There is no authenticator app on your account.'
} satisfies Partial<Record<ErrorCode, string>>
