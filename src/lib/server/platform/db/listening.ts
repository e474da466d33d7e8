/** Listening to notifications of PostgreSQL. */

/** As much of a connection of the driver as listening needs. */
type Client = {
  query: (text: string) => Promise<unknown>
  on: (event: 'notification', listener: () => void) => unknown
  once: (event: 'end', listener: () => void) => unknown
  end: () => Promise<void>
}

const HEARTBEAT_MS = 15_000
const RETRY_MS = 1000

/**
 * Listens on its own connection, which is opened again when it dies; returns a function that stops. `connect` opens one, and `prepare` is
 * part of its try. Calls back after each reconnection too, because a notification may have been missed. Fails as the first `connect` does.
 */
export async function listenOn<C extends Client>(
  connect: (prepare: (client: C) => Promise<unknown>) => Promise<C>,
  channel: string,
  onNotification: () => void
): Promise<() => Promise<void>> {
  let client: C | undefined
  let isEnded = false
  async function open(): Promise<void> {
    const opened = await connect((connected) => {
      connected.on('notification', onNotification)
      return connected.query(`listen "${channel}"`)
    })
    opened.once('end', () => {
      if (!isEnded && client === opened) reopen()
    })
    client = opened
    if (isEnded) await opened.end()
  }
  function reopen(): void {
    client = undefined
    setTimeout(() => {
      if (!isEnded) open().then(onNotification, reopen)
    }, RETRY_MS).unref()
  }
  /** A connection can die without an error: if it does not respond, another one is opened. */
  const heartbeat = setInterval(() => {
    const asked = client
    asked?.query('select 1').catch(() => {
      if (client !== asked) return
      asked.end().catch(() => undefined)
      reopen()
    })
  }, HEARTBEAT_MS).unref()
  await open()
  return async () => {
    isEnded = true
    clearInterval(heartbeat)
    await client?.end()
  }
}
