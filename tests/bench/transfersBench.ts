/** Transfers between spot and funding through the API, against the ledger's function on the same database. */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { customerAccount, house, post } from '#lib/server/ledger/post.ts'
import { openPostgres } from '#lib/server/platform/db/client.ts'
import { signUpAt } from '../support/visitor.ts'
import { interleave, median, operationsPerSecond, type Row, ratioRow } from './measure.ts'

const CUSTOMERS = 24
const IN_FLIGHT = 64
const CONNECTIONS = 8
const ROUNDS = 5
const ALONE = 200
const MOST_P99_MS = 120
const MOST_ALONE_MS = 4

type Holder = { token: string; userId: string }

/** Moves one unit there and back in turn, each call with a key of its own. Returns the milliseconds that it took. */
function transfer(url: URL, agent: Agent, { token }: Holder, turn: number): Promise<number> {
  const began = performance.now()
  const body = JSON.stringify({ currency: 'CPC', amount: '1' })
  return new Promise((resolve, reject) => {
    const path = `/v1/users/balance/transfer-from-${turn % 2 === 0 ? 'spot-to-funding' : 'funding-to-spot'}`
    const asked = request(
      { host: url.hostname, port: url.port, path, method: 'POST', agent, headers: headersOf(token, body) },
      (answer) => {
        answer.resume()
        answer.once('end', () =>
          answer.statusCode === 200 ? resolve(performance.now() - began) : reject(new Error(`${path}: ${answer.statusCode}`))
        )
      }
    )
    asked.once('error', reject)
    asked.end(body)
  })
}

const headersOf = (token: string, body: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
  'idempotency-key': randomUUID()
})

const SYSTEM = { kind: 'system', id: 'bench' } as const

export async function benchTransfers(serverUrl: string, databaseUrl: string): Promise<Row[]> {
  const url = new URL(serverUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
  const { db, close } = await openPostgres(databaseUrl, { poolSize: CONNECTIONS, onLost: () => undefined })
  const holders: Holder[] = []
  for (let count = 0; count < CUSTOMERS; count += 1) {
    const { token } = await signUpAt(serverUrl)
    const { user_id: userId } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    holders.push({ token, userId })
    await post(db, {
      reason: 'adjustment',
      source: { type: 'adjustment', id: 'bench' },
      actor: SYSTEM,
      reference: randomUUID(),
      transfers: (['spot', 'funding'] as const).map((kind) => ({
        source: house('treasury'),
        destination: customerAccount(userId, kind),
        currency: 'CPC',
        amount: 10n ** 9n
      })),
      at: new Date()
    })
  }
  let turn = 0
  const next = (): [Holder, number] => {
    turn += 1
    return [holders[turn % CUSTOMERS] as Holder, Math.floor(turn / CUSTOMERS)]
  }
  const times: number[] = []
  const throughApi = async () => {
    times.push(await transfer(url, agent, ...next()))
  }
  const throughFunction = () => {
    const [{ userId }, at] = next()
    const [from, to] = at % 2 === 0 ? (['spot', 'funding'] as const) : (['funding', 'spot'] as const)
    return post(db, {
      reason: 'moved_between_accounts',
      source: { type: 'move', id: 'bench' },
      actor: SYSTEM,
      reference: randomUUID(),
      transfers: [
        { source: customerAccount(userId, from), destination: customerAccount(userId, to), currency: 'CPC', amount: 1n }
      ],
      at: new Date()
    })
  }
  const [api = 0, alone = 0] = await interleave(
    [
      { name: 'api', run: () => operationsPerSecond(throughApi, IN_FLIGHT) },
      { name: 'function', run: () => operationsPerSecond(throughFunction, CONNECTIONS) }
    ],
    ROUNDS
  )
  const sorted = times.toSorted((one, other) => one - other)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
  const [single] = holders
  const singles: number[] = []
  for (let count = 0; single && count < ALONE; count += 1) singles.push(await transfer(url, agent, single, count))
  agent.destroy()
  await close()
  return [
    {
      what: 'transfers through the API a second, 64 in flight, 24 customers',
      value: api.toFixed(0),
      wanted: '',
      holds: undefined
    },
    ratioRow('the same against the ledger function, 8 connections', api / alone, 0.6),
    atMost('the slowest in a hundred of them', p99, MOST_P99_MS),
    atMost('one transfer after the other, a call', median(singles), MOST_ALONE_MS)
  ]
}

const atMost = (what: string, ms: number, most: number): Row => {
  return { what, value: `${ms.toFixed(1)} ms`, wanted: `≤ ${most} ms`, holds: ms <= most }
}
