import type { Database } from '../db/client.ts'
import { sandboxMails } from '../db/schema.ts'
import { LOGO_ID, LOGO_URL } from './logo.ts'
import type { Mailer } from './port.ts'

/** Stores mails for the page `/sandbox`. */
export function sandboxMailer(db: Database, clock: () => Date): Mailer {
  return {
    send: async ({ to, subject, text, html }) => {
      await db
        .insert(sandboxMails)
        .values({ recipient: to, subject, text, html: html.replace(`cid:${LOGO_ID}`, LOGO_URL), createdAt: clock() })
    }
  }
}
