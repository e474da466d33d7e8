/** Stops the server without cutting off requests. */
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

/** Idle connections are closed after this time. Closed at once, a request on its way would be lost. */
const IDLE_AFTER_MS = 3000
const LOOK_EVERY_MS = 100

/**
 * Once called, no connection is accepted, every answer asks its client to close, and idle connections are closed after
 * a while. Resolves when the last one is gone.
 */
export function prepareDrain(server: Server): () => Promise<void> {
  let draining = false
  server.prependListener('request', (_req, res) => {
    if (draining) res.setHeader('Connection', 'close')
  })
  return () =>
    new Promise((done) => {
      draining = true
      let looking: ReturnType<typeof setInterval> | undefined
      const idleFrom = setTimeout(() => {
        looking = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS)
      }, IDLE_AFTER_MS)
      // The HTTP server's own `close` ends idle connections at once.
      NetServer.prototype.close.call(server, () => {
        clearTimeout(idleFrom)
        clearInterval(looking)
        done()
      })
    })
}
