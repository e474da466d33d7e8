/** A part of what the streams of the book show. All streams of a process share what is read of it. */
import { TOGETHER_MS } from './announce.ts'

/** An older message is read again, in case a notification was lost. */
const OLDEST_MS = 30_000

type Settings = {
  /** The name of its event. */
  name: string
  read: () => Promise<unknown>
  /** After a change it is read at most this often, for streams that are open. */
  everyMs: number
  /** Whether there are streams to send it to. */
  isWanted: () => boolean
  send: (message: Buffer) => void
  failed: (error: unknown) => void
}
export type LivePart = {
  /** The newest message: one object as long as the data are the same. Fails as `read` does. */
  current: () => Promise<Buffer>
  /** Sends what `current` finds to all streams that do not have it: a notification may have been lost. */
  share: (loading: Promise<Buffer>) => Promise<void>
  changed: () => void
  /** Reads it again if it has not been read for long. */
  tend: () => void
  close: () => void
}

/** `read` answers what becomes the JSON of the event. */
export function createLivePart({ name, read, everyMs, isWanted, send, failed }: Settings): LivePart {
  let newest: Promise<Buffer> | undefined
  let latest: Buffer | undefined
  let loadedAt = Number.NEGATIVE_INFINITY
  let reads = 0
  let latestRead = 0
  let waiting: ReturnType<typeof setTimeout> | undefined

  const isOld = () => performance.now() - loadedAt > OLDEST_MS

  async function load(): Promise<Buffer> {
    loadedAt = performance.now()
    reads += 1
    const own = reads
    const message = Buffer.from(`event: ${name}\ndata: ${JSON.stringify(await read())}\n\n`)
    // A later read has answered before this one.
    if (latest && own < latestRead) return latest
    latestRead = own
    // The same object for the same data, so that a comparison shows which streams have it already.
    if (!latest?.equals(message)) latest = message
    return latest
  }

  function current(): Promise<Buffer> {
    if (isOld()) newest = undefined
    newest ??= load()
    const loading = newest
    loading.catch(() => {
      if (newest === loading) newest = undefined
    })
    return loading
  }

  function changed(): void {
    newest = undefined
    if (!isWanted()) return
    waiting ??= setTimeout(
      async () => {
        waiting = undefined
        await current().then(send).catch(failed)
      },
      Math.max(TOGETHER_MS, loadedAt + everyMs - performance.now())
    )
  }

  return {
    current,
    share: (loading) =>
      loading.then((message) => {
        // It may have changed while it was read.
        if (newest === loading) send(message)
        else changed()
      }, failed),
    changed,
    tend: () => {
      if (isOld()) changed()
    },
    close: () => clearTimeout(waiting)
  }
}
