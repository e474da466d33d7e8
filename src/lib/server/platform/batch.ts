/**
 * Requests that share a statement, and so a commit. A request that comes alone goes alone and at once; while `lanes` statements are under way,
 * others wait for the next one to end, but no longer than WINDOW_MS.
 */
const WINDOW_MS = 5

export type BatchOptions<Item, Result> = {
  /** Returns a result an item, in their order, or what still works on it. If it fails, all of them fail. */
  run: (items: Item[]) => Promise<(Result | Promise<Result>)[]>
  /** Items of one owner are never under way at the same time. Without it, each has an owner of its own. */
  ownerOf?: (item: Item) => string
  lanes: number
  most: number
}

type Waiting<Item, Result> = { item: Item; owner: unknown; since: number; settle: PromiseWithResolvers<Result> }

export class Batch<Item, Result> {
  readonly #options: BatchOptions<Item, Result>
  #waiting: Waiting<Item, Result>[] = []
  readonly #owners = new Set<unknown>()
  #running = 0
  #isDue = false
  #isTimed = false

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options
  }

  add(item: Item): Promise<Result> {
    const settle = Promise.withResolvers<Result>()
    this.#waiting.push({ item, owner: this.#options.ownerOf?.(item) ?? settle, since: performance.now(), settle })
    this.#soon()
    return settle.promise
  }

  /** After the requests that have just come in: they go together. */
  #soon(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#send()
    })
  }

  #send(): void {
    const [oldest] = this.#waiting
    if (!oldest) return
    const left = oldest.since + WINDOW_MS - performance.now()
    if (this.#running >= this.#options.lanes && left > 0) {
      this.#wake(left)
      return
    }
    const taken = this.#take()
    if (taken.length > 0) void this.#run(taken)
  }

  #wake(afterMs: number): void {
    if (this.#isTimed) return
    this.#isTimed = true
    setTimeout(() => {
      this.#isTimed = false
      this.#send()
    }, afterMs)
  }

  /** The oldest of each owner who has none under way. */
  #take(): Waiting<Item, Result>[] {
    const taken: Waiting<Item, Result>[] = []
    this.#waiting = this.#waiting.filter((one) => {
      if (taken.length >= this.#options.most || this.#owners.has(one.owner)) return true
      this.#owners.add(one.owner)
      taken.push(one)
      return false
    })
    return taken
  }

  async #run(taken: Waiting<Item, Result>[]): Promise<void> {
    this.#running += 1
    try {
      const results = await this.#options.run(taken.map(({ item }) => item))
      for (const [index, { settle }] of taken.entries()) settle.resolve(results[index] as Result)
    } catch (error) {
      for (const { settle } of taken) settle.reject(error)
    }
    for (const { owner } of taken) this.#owners.delete(owner)
    this.#running -= 1
    this.#soon()
  }
}
