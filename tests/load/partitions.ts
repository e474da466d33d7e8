/**
 * `npm run load -- partitions`: the postings of years in one table, and in one table a month, as docs/scale.md weighs them: what a booking, a page of
 * a customer's lines and the end of a month cost. On a table of its own with the columns and indexes of `postings`.
 */
import pg from 'pg'
import { startEngine } from '#support/engines.ts'

const ROWS = 6_000_000
const MONTHS = 24
const ACCOUNTS = 200_000
const ASKED = 400
const BOOKED = 100_000

const COLUMNS =
  'id bigint not null, transaction_id bigint not null, source_id bigint not null, destination_id bigint not null, currency text not null, amount numeric(38,0) not null, source_balance numeric(38,0) not null, destination_balance numeric(38,0) not null'
const rowsFrom = (from: number, to: number) => `
  select n, n, 1 + (n * 7919) % ${ACCOUNTS}, 1 + (n * 104729 + 13) % ${ACCOUNTS}, 'CPC', 1000 + n % 977, 5000000000 + n, 7000000000 + n
  from generate_series(${from}::bigint, ${to}::bigint) n`

const quantile = (times: number[], part: number) => times.sort((one, other) => one - other)[Math.floor(times.length * part)] ?? 0

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function measure(client: pg.Client, table: string) {
  // The indexes of `postings`.
  for (const columns of ['source_id, id', 'destination_id, id', 'transaction_id'])
    await client.query(`create index on ${table} (${columns})`)
  await client.query(`analyze ${table}`)
  const pages: number[] = []
  for (let asked = 0; asked < ASKED; asked += 1) {
    const account = 1 + Math.floor(Math.random() * ACCOUNTS)
    pages.push(
      await timed(() =>
        client.query({
          name: `page-${table}`,
          text: `select * from (
              (select * from ${table} where source_id = $1 order by id desc limit 50)
              union all (select * from ${table} where destination_id = $1 order by id desc limit 50)
            ) lines order by id desc limit 50`,
          values: [account]
        })
      )
    )
  }
  const booking = await timed(() => client.query(`insert into ${table} ${rowsFrom(ROWS + 1, ROWS + BOOKED)}`))
  return { p50: quantile(pages, 0.5), p99: quantile(pages, 0.99), booked: (BOOKED / booking) * 1000 }
}

export async function tryPartitions(): Promise<void> {
  const engine = await startEngine()
  const client = new pg.Client(engine.adminUrl)
  try {
    await client.connect()
    await client.query(`set maintenance_work_mem = '512MB'`)
    await client.query(`create table plain (${COLUMNS}, primary key (id))`)
    await client.query(`create table monthly (${COLUMNS}, primary key (id)) partition by range (id)`)
    const each = ROWS / MONTHS
    for (let month = 0; month < MONTHS; month += 1)
      await client.query(
        `create table monthly_${month} partition of monthly
          for values from (${month * each + 1}) to (${month === MONTHS - 1 ? 'maxvalue' : (month + 1) * each + 1})`
      )
    for (const table of ['plain', 'monthly']) await client.query(`insert into ${table} ${rowsFrom(1, ROWS)}`)
    console.log(`${ROWS.toLocaleString('en')} postings of ${ACCOUNTS.toLocaleString('en')} accounts\n`)
    console.log(
      '| | newest 50 lines, p50 | p99 | bookings a second | the oldest month goes |\n| --- | ---: | ---: | ---: | ---: |'
    )
    for (const table of ['plain', 'monthly']) {
      const { p50, p99, booked } = await measure(client, table)
      const gone = await timed(() =>
        client.query(
          table === 'plain' ? `delete from plain where id <= ${each}` : 'alter table monthly detach partition monthly_0'
        )
      )
      const name = table === 'plain' ? 'one table' : `${MONTHS} tables`
      console.log(`| ${name} | ${p50.toFixed(2)} ms | ${p99.toFixed(2)} ms | ${booked.toFixed(0)} | ${gone.toFixed(0)} ms |`)
    }
  } finally {
    await client.end()
    await engine.stop()
  }
}
