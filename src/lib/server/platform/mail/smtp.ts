import { createTransport } from 'nodemailer'
import { LOGO_ID, LOGO_PATH } from './logo.ts'
import type { Mailer } from './port.ts'

const TIMEOUT_MS = 10_000

const isOwnMachine = (url: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

/** The sender of every mail, and where replies go unless a mail says otherwise. */
type Sender = { from: string; support: string }

/** Sends through an SMTP server, e.g. `smtps://user:password@host`. */
export function smtpMailer(url: string, { from, support }: Sender): Mailer {
  const transport = createTransport({
    url,
    // Without it, whoever stands between could take the offer of encryption out and read the codes. This machine needs none.
    requireTLS: !isOwnMachine(url),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS
  })
  const attachments = [{ filename: 'logo.png', path: LOGO_PATH, cid: LOGO_ID }]
  return {
    send: async ({ to, subject, text, html, replyTo }) => {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        replyTo: { name: '', address: replyTo ?? support },
        // So that no absent person's program answers (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        subject,
        text,
        html,
        attachments
      })
    }
  }
}
