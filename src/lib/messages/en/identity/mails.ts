import { mail } from '../platform/mailParts.ts'

export const identityMails = {
  identityVerified: (_: Record<string, never>) =>
    mail('Your identity is verified', ['Your identity check is complete. You can now use every feature.']),
  identityRejected: (_: Record<string, never>) =>
    mail('Your identity check was not successful', [
      'We could not verify your identity. If you think this is wrong, please reply to this email.'
    ]),
  identityAgain: ({ why, link }: { why: string; link: string }) =>
    mail('Please do your identity check again', [
      why,
      'Until it is complete, you cannot withdraw, trade or buy. Your balances stay as they are.',
      { link, label: 'Open your profile' }
    ]),
  identityRetry: (_: Record<string, never>) =>
    mail('Your identity check needs something from you', [
      'Something was unreadable or missing. Please open the check from your profile and send it again.'
    ])
}
