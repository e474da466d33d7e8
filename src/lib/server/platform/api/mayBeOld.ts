/**
 * How calls read: each GET as a page of its own. And which of them a standby may answer, whose rows are a moment old: none with a customer's balances
 * or bookings.
 */
import type { CallName } from '#lib/contract/calls.ts'
import { atAnyAge, lookTwice, onePage, reading } from '../db/pageReads.ts'
import { AppError } from '../errors.ts'

type MayBeOld = 'always' | 'while no primary answers'

/** Not in the contract, which browsers load. A primary answers the book while there is one: customers ask for it after they have changed it. */
export const MAY_BE_OLD: Partial<Record<CallName, MayBeOld>> = {
  listNews: 'always',
  getNews: 'always',
  listP2pOrders: 'while no primary answers'
}

const atAgeOf = <T>(name: CallName, run: () => T) => (MAY_BE_OLD[name] === 'always' ? atAnyAge(run) : run())

/** Runs the handler of a call. One that finds nothing on a standby, e.g. an entry that has just been published, looks at the primary. */
export const fromStandby = (name: CallName, handle: () => Promise<unknown>): Promise<unknown> =>
  MAY_BE_OLD[name] === undefined
    ? handle()
    : lookTwice(
        () => atAgeOf(name, handle),
        (found) => 'error' in found && found.error instanceof AppError
      )

/** A call that only reads, as a page of its own. */
export const readingOnly = <T>(name: CallName, run: () => T): T =>
  onePage(() => reading(() => atAgeOf(name, run)), { mayBeOld: MAY_BE_OLD[name] !== undefined })
