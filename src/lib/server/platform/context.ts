/** What every use case gets: made once by `compose.ts`. */

import type { SessionReads } from '../access/sessions/reads.ts'
import type { Keys } from './crypto.ts'
import type { Database } from './db/client.ts'
import type { Log } from './log.ts'
import type { Ports } from './ports.ts'

export type Context = {
  db: Database
  reads: SessionReads
  clock: () => Date
  keys: Keys
  ports: Ports
  log: Log
  limitScale: number
  /** Where links in mails lead, e.g. `https://wallet.example`. */
  origin: string
  /** Tells the relay that the outbox has something; called after a commit. */
  wakeOutbox: () => void
}

/** The signed-in customer that a call is made for. */
export type Customer = {
  userId: string
  email: string
  sessionId: string
  expiresAt: Date
  /** When they last proved who they are, in this session. */
  confirmedAt: Date | null
  /** They said of a sign-in that it was somebody else: see services/sessions/disavow.ts. */
  lockedAt: Date | null
}
