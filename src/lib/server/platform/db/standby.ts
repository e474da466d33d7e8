/**
 * Reads from a standby: a server that follows the primary and has its rows a moment later. It is as old as the newest moment of the primary whose
 * changes it has all made: we ask the primary for the position of its log, and the standby for the position up to which it has come. The clocks of
 * both servers may differ, so only ours is used.
 */
import { DatabaseLostError, databaseError, isLost, isReadOnly } from './faults.ts'
import { type Piped, Pipeline } from './pipeline.ts'

/** What may be read from a standby is at most this old. */
const OLDEST_MS = 2000
/**
 * While no primary answers, the standby is as old as it was when one last did. Only for this long, because the primary may go on where we do not
 * reach it, e.g. end a session.
 */
const WITHOUT_PRIMARY_MS = 60_000
const LOOK_EVERY_MS = 500
/** A server that does not answer within this time is taken for gone. With two looks before, it leaves the standby younger than OLDEST_MS. */
export const LOOK_TIMEOUT_MS = 700
/** After as many looks in vain, a standby is looked for less often. */
const MOST_IN_VAIN = 20
const SELDOM = 10
/** Of the primary, the newest last: as many as a standby may be behind, and some more. */
const MOST_MOMENTS = 10

/** Where a server stands. Positions of two clusters, or of two timelines, do not compare. */
export type Place = { cluster: string; timeline: number; position: bigint }
type Moment = { atMs: number; position: bigint }

/** How old a standby is, by what it and the primary have said. Times in milliseconds of one clock, which only goes forward. */
export class StandbyAge {
  #primary: Place | undefined
  /** Of the primary's timeline. */
  #moments: Moment[] = []
  /** The standby's first place since the timeline changed or another standby was reached. */
  #first: bigint | undefined
  #last: bigint | undefined
  #freshAtMs: number | undefined
  /** The primary was asked after the standby, and was not behind it. */
  #isConfirmed = false
  #hasMoved = false
  #silentSinceMs: number | undefined

  /** The primary was asked at this time, and stood there. */
  primaryAt(atMs: number, place: Place): void {
    this.#silentSinceMs = undefined
    if (this.#primary && this.#primary.timeline !== place.timeline) {
      this.#moments = []
      this.standbyLost()
      this.#hasMoved = true
    }
    this.#primary = place
    this.#moments.push({ atMs, position: place.position })
    if (this.#moments.length > MOST_MOMENTS) this.#moments.shift()
    this.#isConfirmed = this.#last !== undefined && this.#last <= place.position
  }

  /** The primary was asked at this time, and did not answer. */
  primarySilent(atMs: number): void {
    this.#silentSinceMs = atMs
  }

  /** The primary has answered something else at this time. */
  primaryHeard(atMs: number): void {
    if (this.#silentSinceMs !== undefined && atMs > this.#silentSinceMs) this.#silentSinceMs = undefined
  }

  /** The standby has made all changes up to this place. `timeline`: that of its last checkpoint, which may be an earlier one. */
  standbyAt({ cluster, timeline, position }: Place): void {
    this.#first ??= position
    this.#last = position
    if (this.#primary && this.#primary.cluster !== cluster) throw new Error('The standby is one of another cluster')
    // After a change of timeline, one that does not follow the new primary stands still.
    const isOnTimeline = !this.#hasMoved || timeline === this.#primary?.timeline || position > this.#first
    this.#freshAtMs = isOnTimeline ? this.#moments.findLast((moment) => moment.position <= position)?.atMs : undefined
  }

  /** The standby was lost: the next connection may lead to another one. */
  standbyLost(): void {
    this.#first = undefined
    this.#last = undefined
    this.#freshAtMs = undefined
    this.#isConfirmed = false
  }

  get isPrimarySilent(): boolean {
    return this.#silentSinceMs !== undefined
  }

  /** In milliseconds; undefined if it is not known. */
  ageMs(nowMs: number): number | undefined {
    const newest = this.#moments.at(-1)
    if (this.#freshAtMs === undefined || !newest) return undefined
    return (this.isPrimarySilent ? newest.atMs : nowMs) - this.#freshAtMs
  }

  isUsable(nowMs: number): boolean {
    const age = this.ageMs(nowMs)
    if (age === undefined || age > OLDEST_MS) return false
    return this.isPrimarySilent ? nowMs - (this.#moments.at(-1)?.atMs ?? 0) <= WITHOUT_PRIMARY_MS : this.#isConfirmed
  }
}

/** A position of the log as PostgreSQL writes it, e.g. `16/B374D848`. Throws a SyntaxError. */
export function readPosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

type Query = (config: unknown, values?: unknown) => Promise<unknown>
type Row = { is_standby: boolean; cluster: string; timeline: number; position: string | null }

/** Up to here the log has every commit that waits for the disk and was acknowledged. A standby answers with an error (55000). */
const PRIMARY_AT = `select false as is_standby, (select system_identifier from pg_control_system())::text as cluster,
  ('x' || left(pg_walfile_name(at.position), 8))::bit(32)::int as timeline, at.position::text as position
  from (select pg_current_wal_flush_lsn() as position) at`
const STANDBY_AT = `select pg_is_in_recovery() as is_standby, (select system_identifier from pg_control_system())::text as cluster,
  (select timeline_id from pg_control_checkpoint()) as timeline, pg_last_wal_replay_lsn()::text as position`
const IS_STANDBY = '55000'

const placeOf = ({ cluster, timeline, position }: Row): Place => ({ cluster, timeline, position: readPosition(position ?? '') })

export type StandbyState = { isUsable: boolean; ageSeconds: number | undefined; reads: number }

type StandbyOptions = {
  /** Connections to the standby and to the primary, which give up after LOOK_TIMEOUT_MS. */
  make: () => Piped
  makePrimary: () => Piped
  /** When, by `performance.now()`, the primary last answered anything. */
  heardAtMs: () => number
  /** Called when the standby begins to be used, and with the reason, if one is known, when it is used no more. */
  onChange: (isUsed: boolean, reason: unknown) => void
}

export class Standby {
  readonly #age = new StandbyAge()
  readonly #options: StandbyOptions
  /** One connection: what was learned holds for the server behind it, and is learned anew where it is opened. */
  readonly #standby: Pipeline
  readonly #primary: Pipeline
  readonly #timer: NodeJS.Timeout
  readonly #waiting = new Set<() => void>()
  #looking: Promise<void> | undefined
  #isClosed = false
  #told: { isUsable: boolean; said: string } | undefined
  #inVain = 0
  #looks = 0
  #reads = 0

  constructor(options: StandbyOptions) {
    this.#options = options
    this.#standby = new Pipeline(1, {
      make: options.make,
      check: async (client) => this.#learn(await (client.query as Query)(STANDBY_AT)),
      onFailed: (error) => isLost(error) && !isReadOnly(error) && this.#age.standbyLost()
    })
    const primary: Pipeline = new Pipeline(1, {
      make: options.makePrimary,
      check: async () => undefined,
      // It may have been made a standby: the next connection leads to another one.
      onFailed: () => primary.renew()
    })
    this.#primary = primary
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref()
  }

  /** Asks both servers where they stand; or waits until that is known, if they are being asked. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<void> {
    this.#looks += 1
    await this.#lookAtPrimary()
    if (this.isPrimarySilent && this.isUsable) for (const giveUp of this.#waiting) giveUp()
    const isSeldom = this.#inVain > MOST_IN_VAIN && this.#looks % SELDOM > 0
    const reason = isSeldom || this.#isClosed ? undefined : await this.#lookAtStandby()
    // The first look cannot know yet.
    if (!isSeldom && !this.#isClosed && (this.#looks > 2 || reason || this.isUsable)) this.#tell(reason)
  }

  #tell(reason: unknown): void {
    const { isUsable } = this
    const said = reason instanceof Error ? reason.message : ''
    if (isUsable === this.#told?.isUsable && (isUsable || said === this.#told.said)) return
    this.#told = { isUsable, said }
    this.#options.onChange(isUsable, reason)
  }

  async #lookAtPrimary(): Promise<void> {
    const atMs = performance.now()
    try {
      const { rows } = (await this.#primary.query(PRIMARY_AT)) as { rows: [Row] }
      this.#age.primaryAt(atMs, placeOf(rows[0]))
    } catch (error) {
      // Other errors, e.g. too many connections, say nothing about it: then the standby grows old.
      if (isLost(error) || databaseError(error).code === IS_STANDBY) this.#age.primarySilent(atMs)
    }
  }

  /** Returns why it cannot be used. */
  async #lookAtStandby(): Promise<unknown> {
    try {
      this.#learn(await this.#standby.query(STANDBY_AT))
      this.#inVain = 0
      return undefined
    } catch (error) {
      this.#inVain += 1
      this.#age.standbyLost()
      return error
    }
  }

  /** Throws if what answers is no standby of this primary. One that has become the primary is accepted until the primary answers where we look for it. */
  #learn(answer: unknown): void {
    const [row] = (answer as { rows: [Row] }).rows
    try {
      if (!row.is_standby && !this.isPrimarySilent) throw new Error('DATABASE_STANDBY leads to a server that is no standby')
      this.#age.standbyAt(placeOf(row))
    } catch (error) {
      this.#standby.renew()
      throw error
    }
  }

  get isPrimarySilent(): boolean {
    this.#age.primaryHeard(this.#options.heardAtMs())
    return this.#age.isPrimarySilent
  }

  get isUsable(): boolean {
    this.#age.primaryHeard(this.#options.heardAtMs())
    return this.#age.isUsable(performance.now())
  }

  /** What the primary was asked; rejects with DatabaseLostError as soon as a look finds that it does not answer, and the standby can. */
  unlessSilent<T>(asked: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new DatabaseLostError('No primary answers'))
      this.#waiting.add(giveUp)
      asked.then(resolve, reject).finally(() => this.#waiting.delete(giveUp))
    })
  }

  /** A statement that reads. Ask only while it is usable; throws if it was not when it answered, e.g. on a new connection. */
  async query(config: unknown, values?: unknown): Promise<unknown> {
    const answer = await this.#standby.query(config, values)
    if (!this.isUsable) throw new Error('The standby is too old')
    this.#reads += 1
    return answer
  }

  state(): StandbyState {
    const { isUsable } = this
    const age = this.#age.ageMs(performance.now())
    return { isUsable, ageSeconds: age === undefined ? undefined : age / 1000, reads: this.#reads }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.all([this.#standby.close(), this.#primary.close()])
  }
}
