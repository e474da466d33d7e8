/**
 * Requests that share a statement, and so a commit. A request that comes alone goes alone and at once; while `lanes` statements are under way,
 * others wait for the next one to end, but no longer than WINDOW_MS, unless the lanes are strict.
 */
import { AsyncResource } from 'node:async_hooks'
import { OutcomeUnknownError } from './db/faults.ts'
import { UnavailableError } from './errors.ts'
import { outsideRequests } from './outsideRequests.ts'

const WINDOW_MS = 5
/** A request that could not be sent for so long is refused: its caller gives up after 5 s, and what is sent later would seldom be answered in time. */
const MOST_WAIT_MS = 4000

const tooOld = (isUnknown: boolean) =>
  new (isUnknown ? OutcomeUnknownError : UnavailableError)('A request has waited too long for others')

/**
 * Throws for a request that began too long ago to be sent. `since`: when it began, by `performance.now()`. OutcomeUnknownError if it has a key: it may be a
 * repeat of one that was made. UnavailableError otherwise.
 */
export function refuseTooOld(since: number, hasKey: boolean): void {
  if (performance.now() - since > MOST_WAIT_MS) throw tooOld(hasKey)
}

export type BatchOptions<Item, Result> = {
  /** Returns a result an item, in their order, or what still works on it. If it fails, all of them fail. */
  run: (items: Item[]) => Promise<(Result | Promise<Result>)[]>
  /** Items of one owner are never under way at the same time. Without it, each has an owner of its own. */
  ownerOf?: (item: Item) => string
  /**
   * True if it is the same request as an earlier one of its owner, sent again. If it waited too long for the earlier one, it fails with OutcomeUnknownError:
   * nobody knows whether that one was made.
   */
  isRepeatOf?: (item: Item, earlier: Item) => boolean
  /** True if it may be a repeat of a request that was made: it fails with OutcomeUnknownError if it waited too long. */
  mayBeRepeat?: (item: Item) => boolean
  lanes: number
  /** There are never more statements under way than lanes, however long a request waits. For statements that end soon, and of which more would only wait. */
  areStrict?: true
  most: number
}

type Waiting<Item, Result> = {
  item: Item
  owner: unknown
  since: number
  settle: PromiseWithResolvers<Result>
  /** It waited for an earlier request of its owner that was the same. */
  isRepeat: boolean
  request: AsyncResource
}

export class Batch<Item, Result> {
  readonly #options: BatchOptions<Item, Result>
  #waiting: Waiting<Item, Result>[] = []
  /** Of each owner, the item that is under way. */
  readonly #owners = new Map<unknown, Item>()
  #running = 0
  #isDue = false
  #isTimed = false

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options
  }

  /** `since`: when the request began, if it was here before. */
  add(item: Item, since = performance.now()): Promise<Result> {
    const settle = Promise.withResolvers<Result>()
    const owner = this.#options.ownerOf?.(item) ?? settle
    this.#waiting.push({ item, owner, since, settle, isRepeat: false, request: new AsyncResource('BATCH') })
    this.#soon()
    return settle.promise
  }

  /** After the requests that have just come in: they go together. */
  #soon(): void {
    if (this.#isDue) return
    this.#isDue = true
    outsideRequests(() =>
      setImmediate(() => {
        this.#isDue = false
        this.#send()
      })
    )
  }

  #send(): void {
    this.#refuseOld()
    // Those whose owner has one under way wait for that one.
    const oldest = this.#waiting.find(({ owner }) => !this.#owners.has(owner))
    if (!oldest) return
    if (this.#running >= this.#options.lanes) {
      if (this.#options.areStrict) return
      const left = oldest.since + WINDOW_MS - performance.now()
      if (left > 0) {
        this.#wake(left)
        return
      }
    }
    const taken = this.#take()
    void this.#run(taken)
    // There may be more than one statement takes.
    if (taken.length === this.#options.most) this.#soon()
  }

  #wake(afterMs: number): void {
    if (this.#isTimed) return
    this.#isTimed = true
    setTimeout(() => {
      this.#isTimed = false
      this.#send()
    }, afterMs)
  }

  #refuseOld(): void {
    const since = performance.now() - MOST_WAIT_MS
    if (!this.#waiting.some((one) => one.since < since)) return
    const old = this.#waiting.filter((one) => one.since < since)
    this.#waiting = this.#waiting.filter((one) => one.since >= since)
    for (const { settle, item, owner, isRepeat } of old) {
      const earlier = this.#owners.get(owner)
      const isUnknown = isRepeat || (earlier !== undefined && this.#isRepeat(item, earlier))
      settle.reject(tooOld(isUnknown || (this.#options.mayBeRepeat?.(item) ?? false)))
    }
  }

  #isRepeat(item: Item, earlier: Item): boolean {
    return this.#options.isRepeatOf?.(item, earlier) ?? false
  }

  /** The oldest of each owner who has none under way. */
  #take(): Waiting<Item, Result>[] {
    const taken: Waiting<Item, Result>[] = []
    this.#waiting = this.#waiting.filter((one) => {
      if (taken.length >= this.#options.most || this.#owners.has(one.owner)) return true
      this.#owners.set(one.owner, one.item)
      taken.push(one)
      return false
    })
    return taken
  }

  async #run(taken: Waiting<Item, Result>[]): Promise<void> {
    this.#running += 1
    const run = () => this.#options.run(taken.map(({ item }) => item))
    const [first, ...others] = taken
    const asked = first && others.length === 0 ? first.request.runInAsyncScope(run) : run()
    for (const [index, { owner, item, settle }] of taken.entries()) {
      const own = asked.then((results) => results[index] as Result | Promise<Result>)
      // An owner is free again when their own result is there, which may be later than the others'.
      const free = () => {
        this.#owners.delete(owner)
        for (const one of this.#waiting) if (one.owner === owner) one.isRepeat ||= this.#isRepeat(one.item, item)
        this.#soon()
      }
      own.then(settle.resolve, settle.reject).finally(free)
    }
    await asked.catch(() => undefined)
    this.#running -= 1
    this.#soon()
  }
}

/** A batch for each context, made with its first use. */
export function batchOnce<Of extends object, Item, Result>(
  optionsOf: (context: Of) => BatchOptions<Item, Result>
): (context: Of) => Batch<Item, Result> {
  const made = new WeakMap<Of, Batch<Item, Result>>()
  return (context) => {
    const known = made.get(context) ?? new Batch(optionsOf(context))
    made.set(context, known)
    return known
  }
}
