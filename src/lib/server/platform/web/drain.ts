/** Stops the server without cutting off requests. */
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

/** Idle connections are closed only after this time, because a request may be on its way on one of them. */
const IDLE_AFTER_MS = 3000
const LOOK_EVERY_MS = 100

/**
 * Once called, no connection is accepted, every response asks its client to close, and idle connections are closed after a while.
 * Resolves when the last connection is closed.
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
      // Not the `close` of the HTTP server, which closes idle connections at once.
      NetServer.prototype.close.call(server, () => {
        clearTimeout(idleFrom)
        clearInterval(looking)
        done()
      })
    })
}
