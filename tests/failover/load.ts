/**
 * Customers of the running product who write down, outside the database, what was acknowledged to them. Each booking has a key; one whose
 * outcome is unknown is asked again with it until it is decided.
 */
import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { wait } from './bed.ts'

export type Kind = 'transfer' | 'fill' | 'order' | 'withdrawal'
/**
 * `acked`: the product said that it is done. `refused`: it said that it is not, and why. `failed`: it said "unavailable", which is a promise that
 * nothing was changed, and was not asked again. `open`: not decided yet.
 */
type Outcome = 'acked' | 'refused' | 'failed' | 'open'
export type Booking = {
  kind: Kind
  key: string
  owner: string
  outcome: Outcome
  /** It was unknown for a while. */
  wasUnknown: boolean
  /** What the product answered when it was done, e.g. an order's id. */
  id: string | undefined
}
export type Client = { userId: string; token: string; cookie: string; does: { kind: Kind; path: string; body: () => object }[] }

const TIMEOUT_MS = 3000
const BETWEEN_MS = 90
const AGAIN_MS = 400
/** Some do not ask again after "unavailable": their bookings must not exist. */
const GIVES_UP = 0.3

export class Load {
  readonly bookings: Booking[] = []
  /** When something was acknowledged, in milliseconds. */
  readonly ackedAt: number[] = []
  readonly #urls: () => string[]
  readonly #log: string
  #isOn = false
  #running: Promise<void>[] = []

  /** `urls`: the web processes at this moment. `log`: the file that records every booking. */
  constructor(urls: () => string[], log: string) {
    this.#urls = urls
    this.#log = log
  }

  start(clients: Client[]): void {
    this.#isOn = true
    this.#running = clients.map((client) => this.#act(client))
  }

  /** No new bookings; those that are open are asked again until they are decided. */
  async stop(): Promise<void> {
    this.#isOn = false
    await Promise.all(this.#running)
  }

  async #act({ userId, token, does }: Client): Promise<void> {
    while (this.#isOn) {
      const one = does[Math.floor(Math.random() * does.length)]
      if (!one) return
      const booking: Booking = {
        kind: one.kind,
        key: randomUUID(),
        owner: userId,
        outcome: 'open',
        wasUnknown: false,
        id: undefined
      }
      this.bookings.push(booking)
      await this.#decide(booking, { ...one, token, body: one.body() })
      appendFileSync(this.#log, `${JSON.stringify({ at: new Date().toISOString(), ...booking })}\n`)
      await wait(BETWEEN_MS)
    }
  }

  async #decide(booking: Booking, { path, body, token }: { path: string; body: object; token: string }): Promise<void> {
    const givesUp = Math.random() < GIVES_UP
    const giveUpAt = Date.now() + 240_000
    while (booking.outcome === 'open') {
      const urls = this.#urls()
      const { status, code, data } = await this.#ask(urls[Math.floor(Math.random() * urls.length)] ?? '', path, {
        body,
        token,
        key: booking.key
      })
      if (status === 200) {
        booking.outcome = 'acked'
        booking.id = data?.id ?? data?.orderComboId
        this.ackedAt.push(Date.now())
      } else if (status === 503 && code === 'unavailable') {
        if (givesUp && !booking.wasUnknown) booking.outcome = 'failed'
      } else if (status === 0 || code === 'outcome_unknown' || status >= 500) booking.wasUnknown = true
      else if (status !== 429) booking.outcome = 'refused'
      if (booking.outcome === 'open') {
        if (Date.now() > giveUpAt) return
        await wait(AGAIN_MS)
      }
    }
  }

  async #ask(url: string, path: string, { body, token, key }: { body: object; token: string; key: string }) {
    const nothing = { status: 0, code: undefined, data: undefined }
    try {
      const answer = await fetch(`${url}/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': key },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS)
      })
      const said = await answer.json()
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) seen(said.code)
      return { status: answer.status, code: said.code as string | undefined, data: said.data }
    } catch {
      return nothing
    }
  }
}

/** The refusals of a run, by code: a load that is refused everything proves nothing. */
export const refusals = new Map<string, number>()
const seen = (code: string) => refusals.set(code, (refusals.get(code) ?? 0) + 1)

/** Seconds in which nothing was acknowledged, the longest ones after `from`. */
export function longestGap(times: number[], from: number, to: number): number {
  const after = [from, ...times.filter((at) => at >= from && at <= to).toSorted((a, b) => a - b), to]
  return Math.max(...after.slice(1).map((at, index) => at - (after[index] ?? at))) / 1000
}
