/** A kind of job. Features define kinds, `app` passes them to the worker. */
import type { Role } from '../config.ts'

/**
 * Jobs that share lanes, and how many of them a process runs at once. The other lanes are left to what moves money: a slow job may take half an
 * hour, and a mail server that is silent keeps each mail for ten seconds. `bulk`: mails that many customers get at once, for which no code may wait.
 */
export const MOST_AT_ONCE = { slow: 1, mail: 2, bulk: 1 }
export type SharedLanes = keyof typeof MOST_AT_ONCE

/** The kind of a mail that goes as soon as it can. */
export const MAIL = 'mail'

/** The kind of a mail that many customers get at once, e.g. 100,000 of them. It goes after all else that is due and has a free lane. */
export const BULK_MAIL = 'bulk_mail'

export type JobKind = {
  name: string
  /** Which processes may take it. */
  role: Exclude<Role, 'all' | 'desk'>
  /** Must be safe to run twice: another process repeats the job of a killed one. */
  run: (payload: object, job: { id: bigint; createdAt: Date }) => Promise<void>
  /** With which others it shares lanes (`MOST_AT_ONCE`); none: it may run in every lane. */
  lanes?: SharedLanes
  /** After this many tries the job has failed for good. A recurring job is tried for ever. */
  tries?: number
  /** Runs again this many seconds after it is done. */
  everySeconds?: number
  /** Reduces the stored payload of a job that has failed for good, if not all of it may be kept. */
  keptPayload?: (payload: object) => object
}

const DEFAULT_TRIES = 12
const FIRST_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 3600

export function triesOf({ tries, everySeconds }: JobKind): number {
  return everySeconds === undefined ? (tries ?? DEFAULT_TRIES) : Number.POSITIVE_INFINITY
}

/** The wait after a failed try: 10 s, 20 s, 40 s … at most an hour, and at most the job's own interval. */
export function waitSeconds({ everySeconds }: JobKind, tries: number): number {
  return Math.min(everySeconds ?? LONGEST_WAIT_SECONDS, LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** tries)
}
