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
  supportAnswered: ({ number, text, link }: { number: string; text: string; link: string }) =>
    mail(`[${number}] Our answer to your message`, [
      ...text.split(/\n\s*\n/),
      { link, label: 'Read it and answer' },
      'Replies to this mail are not read: answer on the page behind the link.'
    ]),
  /** To somebody who wrote without signing in. */
  supportAnsweredVisitor: ({ number, text, replyTo }: { number: string; text: string; replyTo: string }) => ({
    ...mail(`[${number}] Our answer to your message`, [
      ...text.split(/\n\s*\n/),
      'You wrote to us without signing in. Because nobody has checked who you are, we cannot say anything about an account.'
    ]),
    replyTo
  }),
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
