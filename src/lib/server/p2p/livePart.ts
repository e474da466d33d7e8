/** A part of what the streams of the book show. All streams of a process share what is read of it. */
import { outsideRequests } from '../platform/outsideRequests.ts'
import { TOGETHER_MS } from './announce.ts'

/** An older message is read again, in case a notification was lost. */
const OLDEST_MS = 30_000

type Settings = {
  /** The name of its event. */
  name: string
  /** Answers what becomes the JSON of the event. */
  read: () => Promise<unknown>
  /** After changes it is read at most this often, unless `current` asks for it. */
  everyMs: number
  /** Whether there are streams to send it to. */
  isWanted: () => boolean
  /** Sends a message to the streams that do not have it. */
  send: (message: Buffer) => void
  failed: (error: unknown) => void
}
export type LivePart = {
  /** The newest message, which is read if need be: one object as long as the data are the same. Fails as `read` does. */
  current: () => Promise<Buffer>
  /** The last message that was read; undefined if something has changed since, and nobody reads it yet. */
  known: () => Buffer | undefined
  /** Reads it in a moment, and sends it. */
  changed: () => void
  /** Reads it again if it has not been read for long. */
  tend: () => void
  close: () => void
}

/** Reads take turns, so that slow ones do not pile up: a change while one runs is read by the next one. */
export function createLivePart({ name, read, everyMs, isWanted, send, failed }: Settings): LivePart {
  let latest: Buffer | undefined
  /** The last read that began, unless something has changed since or it has failed. */
  let newest: Promise<Buffer> | undefined
  /** The read that waits for its turn. */
  let queued: Promise<Buffer> | undefined
  let running: Promise<unknown> = Promise.resolve()
  let begunAt = Number.NEGATIVE_INFINITY
  let waiting: ReturnType<typeof setTimeout> | undefined

  const isOld = () => performance.now() - begunAt > OLDEST_MS

  async function load(): Promise<Buffer> {
    begunAt = performance.now()
    const message = Buffer.from(`event: ${name}\ndata: ${JSON.stringify(await read())}\n\n`)
    // The same object for the same data, so that a comparison shows which streams have it already.
    if (!latest?.equals(message)) latest = message
    return latest
  }

  function begin(): Promise<Buffer> {
    queued = undefined
    const begun = outsideRequests(load)
    newest = begun
    running = begun.catch(() => {
      if (newest === begun) newest = undefined
    })
    return begun
  }

  function current(): Promise<Buffer> {
    if (isOld()) newest = undefined
    if (newest) return newest
    queued ??= running.then(begin)
    return queued
  }

  function changed(): void {
    newest = undefined
    if (!isWanted()) return
    const waitMs = Math.max(TOGETHER_MS, begunAt + everyMs - performance.now())
    waiting ??= outsideRequests(() =>
      setTimeout(() => {
        waiting = undefined
        if (isWanted()) current().then(send).catch(failed)
      }, waitMs)
    )
  }

  return {
    current,
    known: () => (newest && !isOld() ? latest : undefined),
    changed,
    tend: () => {
      if (isOld()) changed()
    },
    close: () => clearTimeout(waiting)
  }
}
