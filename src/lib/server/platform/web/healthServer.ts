/** The server of a process without pages: reports whether the process and its database respond. */
import { createServer, type Server } from 'node:http'
import { answerReady, plain } from './createServer.ts'
import { setSecurityHeaders } from './headers.ts'

/** A process that waits for its database answers customers' browsers with it, so it sends the headers of every response. */
export function createHealthServer(app: { isReady: () => Promise<boolean> }, { production }: { production: boolean }): Server {
  return createServer((req, res) => {
    setSecurityHeaders(res, { production })
    if (req.url === '/healthz') return plain(res, 200, 'ok')
    if (req.url === '/readyz') return void answerReady(app, res)
    plain(res, 404, 'Not found')
  })
}
