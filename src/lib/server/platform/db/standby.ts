/**
 * Reads from a standby: a server that follows the primary and has its rows a moment later. It is as old as the newest moment of the primary whose
 * changes it has all made: we ask the primary for the position of its log, and the standby for the position up to which it has come, so that no
 * clock of theirs counts.
 */
import { isLost, isReadOnly } from './faults.ts'
import { type Piped, Pipeline } from './pipeline.ts'

/** What may be read from a standby is at most this old. */
export const OLDEST_MS = 2000
/**
 * While no primary answers, nothing newer is known: the standby is as old as it was when one last did. Only for this long, because the primary may
 * go on where we do not reach it, e.g. end a session.
 */
const WITHOUT_PRIMARY_MS = 60_000
const LOOK_EVERY_MS = 500
/** A server that does not answer within this time is taken for gone. */
export const LOOK_TIMEOUT_MS = 1000
/** Of the primary, the newest last: as many as a standby may be behind, and some more. */
const MOST_MOMENTS = 10

type Moment = { atMs: number; position: bigint }

/** How old a standby is, by what it and the primary have said. Times in milliseconds of one clock, which only goes forward. */
export class StandbyAge {
  readonly #moments: Moment[] = []
  #freshAtMs: number | undefined
  #isSilent = false

  /** The primary was asked at this time, and had come to this position. */
  primaryAt(atMs: number, position: bigint): void {
    this.#isSilent = false
    this.#moments.push({ atMs, position })
    if (this.#moments.length > MOST_MOMENTS) this.#moments.shift()
  }

  /** The primary was asked and did not answer. */
  primarySilent(): void {
    this.#isSilent = true
  }

  /** The standby has made all changes up to this position. */
  standbyAt(position: bigint): void {
    this.#freshAtMs = this.#moments.findLast((moment) => moment.position <= position)?.atMs
  }

  /** The standby was lost: the next connection may lead to another one. */
  standbyLost(): void {
    this.#freshAtMs = undefined
  }

  get isPrimarySilent(): boolean {
    return this.#isSilent
  }

  /** In milliseconds; undefined if it is not known. */
  ageMs(nowMs: number): number | undefined {
    const newest = this.#moments.at(-1)
    if (this.#freshAtMs === undefined || !newest) return undefined
    return (this.#isSilent ? newest.atMs : nowMs) - this.#freshAtMs
  }

  isUsable(nowMs: number): boolean {
    const age = this.ageMs(nowMs)
    if (age === undefined || age > OLDEST_MS) return false
    return !this.#isSilent || nowMs - (this.#moments.at(-1)?.atMs ?? 0) <= WITHOUT_PRIMARY_MS
  }
}

/** A position of the log as PostgreSQL writes it, e.g. `16/B374D848`. */
export function readPosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

type Query = (config: unknown, values?: unknown) => Promise<unknown>
type Answered = { rows: { is_standby: boolean; position: string | null }[] }

/** Up to here everything that was acknowledged is in the log. An error where a standby answers. */
const PRIMARY_AT = 'select false as is_standby, pg_current_wal_flush_lsn()::text as position'
const STANDBY_AT = 'select pg_is_in_recovery() as is_standby, pg_last_wal_replay_lsn()::text as position'

export type StandbyState = { isUsable: boolean; ageSeconds: number | undefined; reads: number }

export class Standby {
  readonly #age = new StandbyAge()
  readonly #standby: Pipeline
  readonly #primary: Pipeline
  readonly #timer: NodeJS.Timeout
  #isLooking = false
  #reads = 0

  /** `make`, `makePrimary`: connections that give up after LOOK_TIMEOUT_MS. One each: what was learned of a standby holds for its connection alone. */
  constructor({ make, makePrimary }: { make: () => Piped; makePrimary: () => Piped }) {
    this.#standby = new Pipeline(1, {
      make,
      check: async (client) => this.#learn(await (client.query as Query)(STANDBY_AT)),
      onFailed: (error) => isLost(error) && !isReadOnly(error) && this.#age.standbyLost()
    })
    const primary: Pipeline = new Pipeline(1, {
      make: makePrimary,
      check: async () => undefined,
      // One that was made a standby answers with an error: its connection is of no use.
      onFailed: () => primary.renew()
    })
    this.#primary = primary
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref()
  }

  /** Asks both servers where they are. */
  async look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const atMs = performance.now()
    try {
      const [row] = ((await this.#primary.query(PRIMARY_AT)) as Answered).rows
      this.#age.primaryAt(atMs, readPosition(row?.position ?? ''))
    } catch {
      this.#age.primarySilent()
    }
    try {
      this.#learn(await this.#standby.query(STANDBY_AT))
    } catch {
      this.#age.standbyLost()
    }
    this.#isLooking = false
  }

  /** Throws if what answers is no standby. One that has become the primary stands until a primary answers where we look for it. */
  #learn(answer: unknown): void {
    const [row] = (answer as Answered).rows
    if (!row?.is_standby && !this.#age.isPrimarySilent) {
      this.#standby.renew()
      throw new Error('DATABASE_STANDBY leads to a server that is no standby')
    }
    this.#age.standbyAt(readPosition(row?.position ?? ''))
  }

  get isPrimarySilent(): boolean {
    return this.#age.isPrimarySilent
  }

  get isUsable(): boolean {
    return this.#age.isUsable(performance.now())
  }

  /** A statement that reads. Ask only while it is usable; throws if it was not when it answered, e.g. on a new connection. */
  async query(config: unknown, values?: unknown): Promise<unknown> {
    const answer = await this.#standby.query(config, values)
    if (!this.isUsable) throw new Error('The standby is too old')
    this.#reads += 1
    return answer
  }

  state(): StandbyState {
    const age = this.#age.ageMs(performance.now())
    return { isUsable: this.isUsable, ageSeconds: age === undefined ? undefined : age / 1000, reads: this.#reads }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([this.#standby.close(), this.#primary.close()])
  }
}
