export type Mail = { to: string; subject: string; text: string; html: string; replyTo?: string | undefined }

/** Sends a mail; throws if it could not be handed over. */
export type Mailer = { send: (mail: Mail) => Promise<void> }
