/** Forwards TCP. What is between two machines can be slow, and can lose packets: TCP then sends again, which its user sees as a pause. */
import { connect, createServer, type Socket } from 'node:net'

type Impairment = { delayMs: number; lossPercent: number }
/** What a lost packet costs: the sender waits this long before it sends it again. */
const RESEND_MS = 250

/** `impair` is asked with the address of the machine that connects. */
export async function startRelay(target: { host: string; port: number }, at: { host: string; port: number }) {
  const impaired = new Map<string, Impairment>()
  const sockets = new Set<Socket>()

  /** Passes on in order; each piece not before its time. */
  function pass(from: Socket, to: Socket, peer: string): void {
    let last = Promise.resolve()
    from.on('data', (chunk) => {
      const { delayMs, lossPercent } = impaired.get(peer) ?? { delayMs: 0, lossPercent: 0 }
      if (delayMs === 0 && lossPercent === 0) {
        last = last.then(() => void to.write(chunk))
        return
      }
      const isLost = Math.random() * 100 < lossPercent
      const until = Date.now() + delayMs / 2 + (isLost ? RESEND_MS : 0)
      last = last
        .then(() => new Promise((resume) => setTimeout(resume, Math.max(0, until - Date.now()))))
        .then(() => void to.write(chunk))
    })
  }

  const server = createServer((client) => {
    const peer = client.remoteAddress?.replace('::ffff:', '') ?? ''
    const upstream = connect(target.port, target.host)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    pass(client, upstream, peer)
    pass(upstream, client, peer)
  })
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(at.port, at.host, listening))
  return {
    impair: (peer: string, how: Impairment) => void impaired.set(peer, how),
    mend: () => impaired.clear(),
    close: () =>
      new Promise<void>((closed) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => closed())
      })
  }
}
