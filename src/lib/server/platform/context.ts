/** Passed to every use case, and made once by `app/compose.ts`. A port of a feature is a parameter of that feature instead. */
import type { Database } from './db/client.ts'
import type { Log } from './log.ts'

export type Context = {
  db: Database
  /** The same database, where a commit does not wait for the disk: a crash may forget its last second. Only for counters that guard no secret. */
  quickDb: Database
  /** The same database, where a statement may take half an hour: for checks that read everything. */
  longDb: Database
  clock: () => Date
  /** Returns the key for a purpose, derived from the one secret. */
  /** The key that signs, seals and hashes now. */
  keyFor: (purpose: string) => Uint8Array
  /** All keys that count, the present one first: while SECRET is replaced, there are two. */
  keysFor: (purpose: string) => Uint8Array[]
  log: Log
  limitScale: number
  /** The origin of links in mails, e.g. `https://wallet.example`. */
  origin: string
  /** Tells this process's worker that there is a new job. Called after a commit. */
  wakeJobs: () => void
}
