import type { Database } from '../db/client.ts'
import { sandboxMails } from '../db/schema.ts'
import type { Mailer } from './port.ts'

/** Puts mails where the page `/sandbox` shows them. */
export function sandboxMailer(db: Database, clock: () => Date): Mailer {
  return {
    send: async ({ to, subject, text, html }) => {
      await db.insert(sandboxMails).values({ recipient: to, subject, text, html, createdAt: clock() })
    }
  }
}
