import { mail } from '../platform/mailParts.ts'

export const identityMails = {
  identityVerified: (_: Record<string, never>) =>
    mail('Your identity is verified', ['The identity check is completed. Everything is open to you now.']),
  identityRejected: (_: Record<string, never>) =>
    mail('Your identity check was not passed', [
      'The identity check could not be completed. If you think that this is wrong, please answer this mail.'
    ]),
  identityRetry: (_: Record<string, never>) =>
    mail('Your identity check needs something from you', [
      'Something was unreadable or missing. Please open the check from your profile and send it again.'
    ])
}
