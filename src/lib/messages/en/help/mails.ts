import type { ContextKind } from '#lib/domain/help/message.ts'
import { mail } from '../platform/mailParts.ts'
import { helpTexts } from './help.ts'

type SupportFacts = {
  number: string
  email: string
  userId: string | null
  message: string
  context: { kind: ContextKind; value: string }[]
}

export const helpMails = {
  /** Goes to our support; their reply goes to the sender. */
  supportMessage: ({ number, email, userId, message, context }: SupportFacts) => ({
    ...mail(`[${number}] Message from ${userId ? 'a customer' : 'a visitor, not signed in'}`, [
      {
        facts: [
          [userId ? 'From' : 'From, not checked', email],
          ...(userId ? [['Customer', userId] as [string, string]] : []),
          ...context.map(({ kind, value }): [string, string] => [helpTexts.labels[kind], value])
        ]
      },
      ...message.split(/\n\s*\n/)
    ]),
    replyTo: email
  })
}
