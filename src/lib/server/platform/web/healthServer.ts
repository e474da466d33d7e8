/** The server of a process without pages: reports whether the process and its database respond. */
import { createServer, type Server } from 'node:http'
import { answerReady, plain } from './createServer.ts'

export function createHealthServer(app: { isReady: () => Promise<boolean> }): Server {
  return createServer((req, res) => {
    if (req.url === '/healthz') return plain(res, 200, 'ok')
    if (req.url === '/readyz') return void answerReady(app, res)
    plain(res, 404, 'Not found')
  })
}
