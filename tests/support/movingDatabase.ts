/**
 * Stands between the product and PostgreSQL, understands their protocol, and does to one statement what a server does that dies, stops, is
 * demoted or loses its standby.
 */
import { connect, createServer, type Socket } from 'node:net'

/** What happens to the first statement whose text matches. */
export type Fault =
  /** The connection ends before the server has the statement. */
  | 'cut before'
  /** The server carries it out; the connection ends before the answer. */
  | 'cut after'
  /** The server carries it out; no answer ever comes. */
  | 'silent'
  /** The server carries it out, and then says that it is being shut down (57P01). */
  | 'shut down after'
  /** A server that was made a standby refuses it (25006). */
  | 'read only'
  /** Somebody cancelled the wait for the standby: a warning, then the usual answer. */
  | 'not replicated'

export type MovingDatabase = {
  url: string
  /** Resolves when the fault has happened. */
  next: (fault: Fault, matches: RegExp) => Promise<void>
  /** How many connections were opened so far. */
  opened: () => number
  close: () => Promise<void>
}

type Waiting = { fault: Fault; matches: RegExp; happened: () => void }
/** A message of the protocol: its type, and all of its bytes. */
type Message = { type: string; bytes: Buffer }

const BIND = 'B'
const PARSE = 'P'
const SIMPLE = 'Q'
const READY = 'Z'
const COMPLETE = 'C'

/** Cuts a stream into messages; the first one of a client has no type. */
function* messagesOf(kept: { rest: Buffer; isFirst: boolean }, chunk: Buffer): Generator<Message> {
  kept.rest = Buffer.concat([kept.rest, chunk])
  for (;;) {
    const head = kept.isFirst ? 0 : 1
    if (kept.rest.length < head + 4) return
    const length = head + kept.rest.readUInt32BE(head)
    if (kept.rest.length < length) return
    const bytes = kept.rest.subarray(0, length)
    kept.rest = kept.rest.subarray(length)
    yield { type: kept.isFirst ? '' : String.fromCharCode(bytes[0] ?? 0), bytes }
    kept.isFirst = false
  }
}

/** The zero-ended texts at the beginning of a message. */
const textsOf = ({ bytes }: Message) => bytes.subarray(5).toString('utf8').split('\0')

/** An error (`E`) or a notice (`N`) with these fields. */
function said(type: 'E' | 'N', fields: Record<string, string>): Buffer {
  const body = Buffer.from(
    `${Object.entries(fields)
      .map(([key, value]) => `${key}${value}\0`)
      .join('')}\0`
  )
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const READ_ONLY = said('E', { S: 'ERROR', V: 'ERROR', C: '25006', M: 'cannot execute this in a read-only transaction' })
const SHUT_DOWN = said('E', { S: 'FATAL', V: 'FATAL', C: '57P01', M: 'terminating connection due to administrator command' })
const NOT_REPLICATED = said('N', {
  S: 'WARNING',
  V: 'WARNING',
  C: '01000',
  M: 'canceling wait for synchronous replication due to user request',
  R: 'SyncRepWaitForLSN'
})
const IDLE = Buffer.from([READY.charCodeAt(0), 0, 0, 0, 5, 'I'.charCodeAt(0)])

/** Stands in front of the database at `url`. */
export async function startMovingDatabase(url: string): Promise<MovingDatabase> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let waiting: Waiting | undefined
  let opened = 0

  function join(client: Socket): void {
    opened += 1
    const server = connect(Number(target.port), target.hostname)
    const texts = new Map<string, string>()
    const asked = { rest: Buffer.alloc(0), isFirst: true }
    const answered = { rest: Buffer.alloc(0), isFirst: false }
    let now: Waiting | undefined
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket)
          // A silent server keeps its connection open.
          if (now?.fault !== 'silent') end()
        })
    }
    const happen = (one: Waiting) => {
      waiting = undefined
      one.happened()
    }

    function textOf(message: Message): string | undefined {
      const [first = '', second = ''] = textsOf(message)
      if (message.type === PARSE) texts.set(first, second)
      if (message.type === SIMPLE) return first
      return message.type === BIND ? texts.get(second) : undefined
    }

    client.on('data', (chunk: Buffer) => {
      for (const message of messagesOf(asked, chunk)) {
        const text = textOf(message)
        if (!now && text !== undefined && waiting?.matches.test(text)) now = waiting
        if (now?.fault === 'cut before') {
          happen(now)
          return end()
        }
        if (now?.fault === 'read only') {
          if (message.type !== SIMPLE && message.type !== 'S') continue
          happen(now)
          now = undefined
          client.write(Buffer.concat([READ_ONLY, IDLE]))
        } else server.write(message.bytes)
      }
    })
    server.on('data', (chunk: Buffer) => {
      for (const message of messagesOf(answered, chunk)) {
        if (!now) client.write(message.bytes)
        else if (now.fault === 'not replicated') {
          if (message.type === COMPLETE) {
            client.write(NOT_REPLICATED)
            happen(now)
            now = undefined
          }
          client.write(message.bytes)
        } else if (message.type === READY) {
          // It is committed.
          happen(now)
          if (now.fault === 'silent') continue
          if (now.fault === 'shut down after') client.end(SHUT_DOWN)
          else end()
          return
        }
      }
    })
  }

  const listener = createServer(join)
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
  const address = listener.address()
  const at = new URL(url)
  at.hostname = '127.0.0.1'
  at.port = String(typeof address === 'object' && address ? address.port : 0)
  return {
    url: at.href,
    next: (fault, matches) => new Promise((happened) => (waiting = { fault, matches, happened })),
    opened: () => opened,
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy()
        listener.close(() => closed())
      })
  }
}
