/** A TCP proxy that can be cut or fall silent, like a network. */
import { connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  port: number
  /** Stops forwarding; the connections stay open, and new ones are taken. */
  fallSilent: () => void
  /** Forwards again. */
  speak: () => void
  /** Closes all connections and refuses new ones. */
  cut: () => Promise<void>
  close: () => Promise<void>
}

/** Starts a proxy in front of `target`; `port` 0 lets the system pick one. */
export async function startTcpProxy(target: { host: string; port: number }, port = 0): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let isSilent = false
  const server = createServer((incoming) => {
    const outgoing = connect(target.port, target.host)
    const pair: [Socket, Socket] = [incoming, outgoing]
    pairs.add(pair)
    if (!isSilent) {
      incoming.pipe(outgoing)
      outgoing.pipe(incoming)
    }
    for (const socket of pair) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        pairs.delete(pair)
        for (const one of pair) one.destroy()
      })
    }
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const address = server.address()
  const destroyAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  const close = () =>
    new Promise<void>((closed) => {
      destroyAll()
      server.close(() => closed())
    })
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    fallSilent: () => {
      isSilent = true
      for (const [incoming, outgoing] of pairs) {
        incoming.unpipe(outgoing)
        outgoing.unpipe(incoming)
        incoming.pause()
        outgoing.pause()
      }
    },
    speak: () => {
      isSilent = false
      for (const [incoming, outgoing] of pairs) {
        incoming.pipe(outgoing)
        outgoing.pipe(incoming)
      }
    },
    cut: close,
    close
  }
}
