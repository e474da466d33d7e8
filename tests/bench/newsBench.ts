/** The news page as a customer loads it, with ten thousand entries against one with a hundred. */
import pg from 'pg'
import type { ServerProcess } from '../support/serverProcess.ts'
import { signUpAt } from '../support/visitor.ts'
import { interleave, type Row, requestsPerSecond } from './measure.ts'

const [FEW, MANY] = [100, 10_000]
const SETTLE_MS = 15_000

/** Entries of a generation that no synchronization removes. */
async function addEntries(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into news_entries (id, title, short_description, main_content, date, generation)
     select 'bench-' || n, 'Entry ' || n, repeat('A short description. ', 6), '{"nodeType":"document","data":{},"content":[]}',
       now() - n * interval '1 hour', 1000000 from generate_series(1, $1::int) n`,
    [count]
  )
  await client.query('update news_sync set total = (select count(*) from news_entries)')
  await client.query('analyze news_entries')
  await client.end()
}

async function prepare(start: (url: string) => Promise<ServerProcess>, url: string, count: number) {
  const server = await start(url)
  const { cookie } = await signUpAt(server.url)
  // The entries of the sandbox come first, with their pictures.
  await new Promise((settled) => setTimeout(settled, SETTLE_MS))
  await addEntries(url, count)
  return { server, run: () => requestsPerSecond(`${server.url}/news`, { cookie }, 1) }
}

export async function benchNews(start: (url: string) => Promise<ServerProcess>, urls: [string, string]): Promise<Row[]> {
  const few = await prepare(start, urls[0], FEW)
  const many = await prepare(start, urls[1], MANY)
  const [fast = 0, slow = 0] = await interleave([
    { name: 'few', run: few.run },
    { name: 'many', run: many.run }
  ])
  await Promise.all([few.server.stop(), many.server.stop()])
  const ratio = fast / slow
  return [
    {
      what: `news page with ${MANY} entries against one with ${FEW}, time a page`,
      value: ratio.toFixed(2),
      wanted: '≤ 1.2',
      holds: ratio <= 1.2
    }
  ]
}
