/** Stopping without cutting anybody off: what is in flight is answered, and no connection is used again. */
import type { Server } from 'node:http'

const LOOK_EVERY_MS = 50

/** Lets every answer end its connection once `drain` is called; resolves when the last one is closed. */
export function prepareDrain(server: Server): () => Promise<void> {
  let draining = false
  server.prependListener('request', (_req, res) => {
    if (draining) res.setHeader('Connection', 'close')
    else
      res.once('finish', () => {
        // It came in before the stop and ends after it: its connection is idle now.
        if (draining) setImmediate(() => server.closeIdleConnections())
      })
  })
  return () =>
    new Promise((done) => {
      draining = true
      const looking = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS)
      server.close(() => {
        clearInterval(looking)
        done()
      })
      server.closeIdleConnections()
    })
}
