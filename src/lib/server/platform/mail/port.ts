export type Mail = { to: string; subject: string; text: string; html: string }

/** Sends a mail; throws where it could not be handed over. */
export type Mailer = { send: (mail: Mail) => Promise<void> }
