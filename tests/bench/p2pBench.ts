/** Peer to peer: fills of a hot book compared with the posting alone, a large book with a small one, and open streams. */
import { randomUUID } from 'node:crypto'
import { Agent, get, type IncomingMessage } from 'node:http'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { sandboxCustomer } from '#lib/server/access/index.ts'
import { compose } from '#lib/server/app/compose.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { customerAccount, house, post } from '#lib/server/ledger/index.ts'
import { fillOrder } from '#lib/server/p2p/fill.ts'
import { listOrder } from '#lib/server/p2p/list.ts'
import { loadBook } from '#lib/server/p2p/read.ts'
import { p2pSettings } from '#lib/server/p2p/settings.ts'
import type { Customer } from '#lib/server/platform/actor.ts'
import { openPostgres } from '#lib/server/platform/db/client.ts'
import { signUpAt, type Visitor } from '#support/visitor.ts'
import { interleave, median, operationsPerSecond, type Row, ratioRow } from './measure.ts'

const CONNECTIONS = 8
const MAKERS = 8
/** Enough buyers that hardly any exceeds the API's rate limit of 60 purchases a minute. */
const TAKERS = 600
/** Customers created in parallel. */
const MADE_AT_ONCE = 20
const COIN = 10n ** 8n
const DOLLAR = 10n ** 6n
const FEW_ORDERS = 100
const MANY_ORDERS = 10_000
const STREAMS = 1000
const STREAMS_OF_ONE = 10
const CHANGES = 5
const PAIR = { assetCurrency: 'CPC', settlementCurrency: 'USDC' }

async function open(url: string) {
  const connection = await openPostgres(url, { poolSize: CONNECTIONS, onLost: () => undefined })
  const env = { ROLE: 'web', LOG_LEVEL: 'silent', LIMIT_SCALE: '1000', WITHDRAWAL_DAY_USD: '1000000000' }
  const config = readConfig(env)
  const app = await compose(config, { connection, recurring: false })
  const { context } = app
  const settings = p2pSettings(config.p2p, app.ports.rates, app.chains.withdrawals.limits.dayCents)
  const customer = async (): Promise<Customer> => {
    const made = await sandboxCustomer(context, `${randomUUID()}@example.com`)
    await connection.db.execute(sql`
      insert into identity_checks (user_id, applicant_id, review_status, status_at, created_at, updated_at)
      values (${made.userId}, ${made.userId}, 'completed', now(), now(), now())`)
    for (const [currency, amount] of [
      ['CPC', 10n ** 9n * COIN],
      ['USDC', 10n ** 8n * DOLLAR]
    ] as const)
      await post(connection.db, {
        reason: 'adjustment',
        source: { type: 'adjustment', id: 'bench' },
        reference: randomUUID(),
        actor: { kind: 'system', id: 'bench' },
        transfers: [{ source: house('treasury'), destination: customerAccount(made.userId, 'funding'), currency, amount }],
        at: new Date()
      })
    return made
  }
  const sell = (maker: Customer, coins: bigint, pricePerCoin: string) =>
    listOrder(context, settings, maker, {
      ...PAIR,
      listedAssetAmount: String(coins * COIN),
      pricePerCoin,
      expiresInDays: 30,
      idempotencyKey: undefined
    })
  return { app, connection, context, settings, customer, sell }
}

const any = <T>(all: T[]): T => all[Math.floor(Math.random() * all.length)] as T

async function benchFills(parts: Awaited<ReturnType<typeof open>>): Promise<Row[]> {
  const { context, settings, customer, sell } = parts
  const makers = await Promise.all(Array.from({ length: MAKERS }, customer))
  const takers: Customer[] = []
  for (let made = 0; made < TAKERS; made += MADE_AT_ONCE)
    takers.push(...(await Promise.all(Array.from({ length: MADE_AT_ONCE }, customer))))
  const orders: string[] = []
  for (const maker of makers)
    for (let order = 0; order < 10; order += 1) orders.push((await sell(maker, 1_000_000n, `0.05${order}`)).id)
  const amount = String(10n * COIN)
  const fill = () => fillOrder(context, settings, any(takers), { id: any(orders), amount, idempotencyKey: undefined })
  /** Only the transfers of a fill. */
  const postOnly = () => {
    const [maker, taker] = [any(makers).userId, any(takers).userId]
    const [funding, seller] = [customerAccount(taker, 'funding'), customerAccount(maker, 'funding')]
    return post(context.db, {
      reason: 'adjustment',
      source: { type: 'adjustment', id: 'bench' },
      reference: randomUUID(),
      actor: { kind: 'system', id: 'bench' },
      transfers: [
        { source: seller, destination: funding, currency: 'CPC', amount: 10n * COIN },
        { source: funding, destination: seller, currency: 'USDC', amount: 495_000n },
        { source: funding, destination: house('fees'), currency: 'USDC', amount: 5000n }
      ],
      at: new Date()
    })
  }
  const [fills = 0, posts = 0] = await interleave([
    { name: 'fill', run: () => operationsPerSecond(fill, CONNECTIONS) },
    { name: 'post', run: () => operationsPerSecond(postOnly, CONNECTIONS) }
  ])
  return [
    {
      what: `P2P fills a second, ${CONNECTIONS} connections, one hot book`,
      value: fills.toFixed(0),
      wanted: '',
      holds: undefined
    },
    ratioRow('the same against the posting function alone', fills / posts, 0.8)
  ]
}

/** Adds orders to the book, each priced above the one before. */
async function crowd({ connection, customer }: Awaited<ReturnType<typeof open>>, count: number): Promise<void> {
  const makers = await Promise.all(Array.from({ length: 20 }, customer))
  for (const { userId } of makers)
    await connection.db.execute(sql`
      insert into p2p_traders (user_id, public_id, nickname, created_at) values (${userId}, ${randomUUID()}, ${userId}, now())`)
  for (let order = 0; order < count; order += 1000) {
    const size = Math.min(1000, count - order)
    await connection.db.execute(sql`
      insert into p2p_orders (id, maker_id, asset_currency, settlement_currency, listed_amount, filled_amount, smallest_fill,
        price_per_coin, fee_basis_points, difference, gross_settled, fee_settled, status, created_at, expires_at)
      select gen_random_uuid(), (array[${sql.join(
        makers.map(({ userId }) => sql`${userId}::uuid`),
        sql`, `
      )}])[1 + n % 20], 'CPC', 'USDC', 100000000000, 0, 1000000000, 0.05 + (${order}::int + n) * 0.000001, 100, 0, 0, 0, 'PENDING', now(), now() + interval '30 days'
      from generate_series(1, ${size}::int) n`)
  }
  await connection.db.execute(sql`analyze p2p_orders`)
}

async function benchBook(parts: Awaited<ReturnType<typeof open>>): Promise<Row[]> {
  const { context, connection } = parts
  const read = async () => {
    const times: number[] = []
    for (let round = 0; round < 60; round += 1) {
      const began = performance.now()
      await loadBook(context, PAIR)
      times.push(performance.now() - began)
    }
    return median(times)
  }
  await connection.db.execute(sql`update p2p_orders set status = 'CANCELLED', cancelled_at = now() where status = 'PENDING'`)
  await crowd(parts, FEW_ORDERS)
  await read()
  const few = await read()
  await crowd(parts, MANY_ORDERS - FEW_ORDERS)
  await read()
  const many = await read()
  const ratio = many / few
  return [
    { what: 'P2P book of 100 open orders', value: `${few.toFixed(1)} ms`, wanted: '', holds: undefined },
    { what: 'the same of 10,000 against that', value: ratio.toFixed(2), wanted: '≤ 1.5', holds: ratio <= 1.5 }
  ]
}

/** Opens streams to a server process, each on its own connection, `STREAMS_OF_ONE` for each account. */
async function benchStreams(url: string, databaseUrl: string, memoryMib: () => number): Promise<Row[]> {
  const visitors: Visitor[] = []
  // One after the other: the mailbox page shows only the last few mails.
  for (let made = 0; made < STREAMS / STREAMS_OF_ONE; made += 1) visitors.push(await signUpAt(url, { unverified: true }))
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const settle = async () => {
    await new Promise((resume) => setTimeout(resume, 1500))
    return memoryMib()
  }
  const open = (token: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const asked = get(`${url}/v1/p2p/orders/stream`, { agent, headers: { authorization: `Bearer ${token}` } }, resolve)
      asked.on('error', reject)
    })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`
    with trader as (
      insert into p2p_traders (user_id, public_id, nickname, created_at) select id, id, 'bench', now() from users limit 1 returning user_id
    )
    insert into p2p_orders (id, maker_id, asset_currency, settlement_currency, listed_amount, filled_amount, smallest_fill,
      price_per_coin, fee_basis_points, difference, gross_settled, fee_settled, status, created_at, expires_at)
    select gen_random_uuid(), user_id, 'CPC', 'USDC', 100000000000, 0, 1000000000, 0.05, 100, 0, 0, 0, 'PENDING', now(), now() + interval '30 days'
    from trader`)
  const reads = async () => {
    await client.query('select pg_stat_clear_snapshot()')
    const { rows } = await client.query(
      "select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as reads from pg_stat_user_tables where relname = 'p2p_orders'"
    )
    return Number(rows[0]?.reads ?? 0)
  }
  const before = await settle()
  const streams: IncomingMessage[] = []
  let books = 0
  for (const { token } of visitors)
    for (let stream = 0; stream < STREAMS_OF_ONE; stream += 1) {
      const answer = await open(token)
      if (answer.statusCode !== 200) throw new Error(`A stream was answered ${answer.statusCode}`)
      answer.on('data', () => {
        books += 1
      })
      streams.push(answer)
    }
  const [opened, readsBefore] = [await settle(), await reads()]
  books = 0
  for (let change = 0; change < CHANGES; change += 1) {
    await client.query("with sold as (update p2p_orders set filled_amount = filled_amount + 1) select pg_notify('p2p_book', '')")
    await new Promise((resume) => setTimeout(resume, 600))
  }
  const [after, readsAfter] = [await settle(), await reads()]
  if (books < STREAMS * CHANGES) throw new Error(`${books} books came instead of ${STREAMS * CHANGES}`)
  for (const stream of streams) stream.destroy()
  await client.end()
  const grown = Math.max(opened, after) - before
  // Minus one: each change itself reads the table once.
  const perChange = (readsAfter - readsBefore) / CHANGES - 1
  return [
    {
      what: '1,000 open P2P streams, after five changes',
      value: `${grown.toFixed(0)} MiB`,
      wanted: '≤ 30 MiB',
      holds: grown <= 30
    },
    { what: 'reads of the book a change, for all of them', value: perChange.toFixed(1), wanted: '≤ 2', holds: perChange <= 2 }
  ]
}

/** `url`: a separate database for fills and book; `server`: for the streams. */
export async function benchP2p(
  url: string,
  server: { url: string; databaseUrl: string; memoryMib: () => number }
): Promise<Row[]> {
  const parts = await open(url)
  const rows = [...(await benchFills(parts)), ...(await benchBook(parts))]
  await parts.app.close()
  return [...rows, ...(await benchStreams(server.url, server.databaseUrl, server.memoryMib))]
}
