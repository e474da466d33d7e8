/** The second factor of a sign-in. */
export const secondFactorTexts = {
  title: 'One more step',
  recoveryCode: 'Recovery code',
  recoveryCodeExample: 'XXXXX-XXXXX',
  recoveryCodeHint: 'Each of your recovery codes works once.',
  code: 'Authenticator code',
  codeHint: 'Your authenticator app shows a new code every 30 seconds.',
  verifying: 'Verifying…',
  verify: 'Verify',
  useApp: 'Use the authenticator app',
  useRecoveryCode: 'Use a recovery code'
} as const
