/** What every use case gets, made once by `app/compose.ts`. A port of a feature is a parameter of that feature instead. */
import type { Database } from './db/client.ts'
import type { Log } from './log.ts'

export type Context = {
  db: Database
  clock: () => Date
  /** The key of a purpose, derived from the one secret. */
  keyFor: (purpose: string) => Uint8Array
  log: Log
  limitScale: number
  /** Where links in mails lead, e.g. `https://wallet.example`. */
  origin: string
  /** Tells this process's worker that a job was written. Called after a commit. */
  wakeJobs: () => void
}
