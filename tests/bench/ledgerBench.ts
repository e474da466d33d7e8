/** A ledger transfer on PostgreSQL: our function, the same work in separate statements, and pgbench calling our function. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { type Booking, customerAccount, house, post, postMany } from '#lib/server/ledger/post.ts'
import { accounts, HOUSE_ID, ledgerTransactions, postings } from '#lib/server/ledger/schema.ts'
import { type Database, openPostgres } from '#lib/server/platform/db/client.ts'
import { interleave, operationsPerSecond, type Row, ratioRow } from './measure.ts'

const CONNECTIONS = 8
const CUSTOMERS = 200
const PGBENCH_SECONDS = 3
const AT_ONCE = 64
const BOOKING = { reason: 'adjustment' } as const

/** The function's work in separate statements of the query builder. */
async function postInStatements(db: Awaited<ReturnType<typeof openPostgres>>['db'], from: string, to: string): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(accounts)
      .where(
        sql`(${accounts.ownerId}, ${accounts.kind}) in ((${from}::uuid, 'spot'), (${to}::uuid, 'spot')) and ${accounts.currency} = 'CPC'`
      )
      .orderBy(accounts.id)
      .for('update')
    const source = rows.find(({ ownerId }) => ownerId === from)
    const destination = rows.find(({ ownerId }) => ownerId === to)
    if (!source || !destination) throw new Error('accounts are missing')
    const [transaction] = await tx
      .insert(ledgerTransactions)
      .values({
        ...BOOKING,
        sourceType: 'adjustment',
        sourceId: 'bench',
        actor: 'system:bench',
        reference: randomUUID(),
        createdAt: new Date()
      })
      .returning()
    if (!transaction) throw new Error('no transaction')
    await tx
      .update(accounts)
      .set({ balance: sql`${accounts.balance} - 1` })
      .where(eq(accounts.id, source.id))
    await tx
      .update(accounts)
      .set({ balance: sql`${accounts.balance} + 1` })
      .where(eq(accounts.id, destination.id))
    await tx.insert(postings).values({
      transactionId: transaction.id,
      sourceId: source.id,
      destinationId: destination.id,
      currency: 'CPC',
      amount: 1n,
      sourceBalance: source.balance - 1n,
      destinationBalance: destination.balance + 1n
    })
  })
}

/** pgbench transactions per second of a script; undefined if pgbench is not installed. */
async function pgbench(url: string, text: string): Promise<number | undefined> {
  const script = join(mkdtempSync(join(tmpdir(), 'wallet-pgbench-')), 'post.sql')
  writeFileSync(script, text)
  const options = ['-n', '-M', 'prepared', '-c', String(CONNECTIONS), '-j', '1', '-T', String(PGBENCH_SECONDS), '-f', script]
  try {
    const { stdout } = await promisify(execFile)('pgbench', [...options, url])
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Two different customers. */
const PAIR = `\\set a random(1, ${CUSTOMERS})
\\set b random(1, ${CUSTOMERS - 1})
`
const OTHER = `1 + (:a - 1 + :b) % ${CUSTOMERS}`
const OURS = `${PAIR}select ledger_post('adjustment', 'adjustment', 'bench', gen_random_uuid()::text, 'bench', jsonb_build_array(jsonb_build_object('source', (select owner_id from bench_owners where n = :a), 'sourceKind', 'spot', 'destination', (select owner_id from bench_owners where n = ${OTHER}), 'destinationKind', 'spot', 'currency', 'CPC', 'amount', '1')), now());
`
const PGLEDGER = `${PAIR}select count(*) from pgledger_create_transfer((select id from bench_peers where n = :a), (select id from bench_peers where n = ${OTHER}), 1);
`

/** Installs pgledger from the file that PGLEDGER_SQL names, and opens CUSTOMERS accounts in it. False if the setting is empty. */
async function installPeer(db: Database): Promise<boolean> {
  const file = process.env.PGLEDGER_SQL
  if (!file) return false
  await db.execute(sql.raw(readFileSync(file, 'utf8')))
  await db.execute(sql`
    create table bench_peers as
    select n, (select id from pgledger_create_account('peer ' || n, 'CPC')) as id from generate_series(1, ${sql.raw(String(CUSTOMERS))}) n`)
  await db.execute(sql`create unique index on bench_peers (n)`)
  return true
}

export async function benchLedger(url: string): Promise<Row[]> {
  const { db, close } = await openPostgres(url, { poolSize: CONNECTIONS, onLost: () => undefined })
  // Only postings may change balances, so these connections set `ledger.posting`.
  const posting = await openPostgres(`${url}?options=-c%20ledger.posting%3Don`, {
    poolSize: CONNECTIONS,
    onLost: () => undefined
  })
  const owners = Array.from({ length: CUSTOMERS }, () => randomUUID())
  for (const owner of owners) {
    await post(db, {
      ...BOOKING,
      source: { type: 'adjustment', id: 'bench' },
      actor: { kind: 'system', id: 'bench' },
      reference: `fund:${owner}`,
      transfers: [
        { source: house('treasury'), destination: customerAccount(owner, 'spot'), currency: 'CPC', amount: 10n ** 12n }
      ],
      at: new Date()
    })
  }
  await db.execute(
    sql`create table bench_owners as select row_number() over () as n, owner_id from accounts where owner_id <> ${HOUSE_ID} and kind = 'spot' and currency = 'CPC'`
  )
  await db.execute(sql`create unique index on bench_owners (n)`)
  const pick = (): [string, string] => {
    const at = Math.floor(Math.random() * CUSTOMERS)
    return [owners[at] ?? '', owners[(at + 1 + Math.floor(Math.random() * (CUSTOMERS - 1))) % CUSTOMERS] ?? '']
  }
  const oneByOne = (): Booking => {
    const [from, to] = pick()
    return {
      ...BOOKING,
      source: { type: 'adjustment', id: 'bench' },
      actor: { kind: 'system', id: 'bench' },
      reference: randomUUID(),
      transfers: [
        { source: customerAccount(from, 'spot'), destination: customerAccount(to, 'spot'), currency: 'CPC', amount: 1n }
      ],
      at: new Date()
    }
  }
  const viaFunction = () => post(db, oneByOne())
  let manyBooked = 0
  const viaMany = async () => {
    const outcomes = await postMany(db, Array.from({ length: AT_ONCE }, oneByOne))
    manyBooked += outcomes.filter(({ id }) => id !== undefined).length
  }
  const manyPerSecond = async () => {
    manyBooked = 0
    const began = performance.now()
    await operationsPerSecond(viaMany, 1)
    return manyBooked / ((performance.now() - began) / 1000)
  }
  const viaStatements = () => postInStatements(posting.db, ...pick())
  const hasPgbench = (await pgbench(url, OURS)) !== undefined
  const hasPeer = hasPgbench && (await installPeer(db))
  const [ours = 0, statements = 0, many = 0, tool = 0, peer = 0] = await interleave([
    { name: 'function', run: () => operationsPerSecond(viaFunction, CONNECTIONS) },
    { name: 'statements', run: () => operationsPerSecond(viaStatements, CONNECTIONS) },
    { name: 'many', run: manyPerSecond },
    ...(hasPgbench ? [{ name: 'pgbench', run: async () => (await pgbench(url, OURS)) ?? 0 }] : []),
    ...(hasPeer ? [{ name: 'pgledger', run: async () => (await pgbench(url, PGLEDGER)) ?? 0 }] : [])
  ])
  await posting.close()
  await close()
  return [
    { what: 'ledger transfers a second, 8 connections', value: ours.toFixed(0), wanted: '', holds: undefined },
    ratioRow('ledger transfer against separate statements', ours / statements, 2),
    ratioRow(
      `${AT_ONCE} transfers a call, one call after the other, against single calls, ${CONNECTIONS} connections`,
      many / ours,
      2.5
    ),
    hasPgbench
      ? ratioRow('ledger transfer against pgbench of the function', ours / tool, 0.8)
      : notMeasured('ledger transfer against pgbench of the function', 0.8),
    hasPeer
      ? ratioRow('pgbench of our function against pgbench of pgledger', tool / peer, 1.5)
      : notMeasured('pgbench of our function against pgbench of pgledger', 1.5),
    hasPeer
      ? ratioRow(`${AT_ONCE} transfers a call against pgbench of pgledger`, many / peer, 3)
      : notMeasured(`${AT_ONCE} transfers a call against pgbench of pgledger`, 3)
  ]
}

const notMeasured = (what: string, wanted: number): Row => {
  return { what, value: 'not measured', wanted: `≥ ${wanted}`, holds: undefined }
}
