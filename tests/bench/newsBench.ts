/** The news page as a customer loads it: ten thousand entries compared with a hundred. */
import pg from 'pg'
import type { ServerProcess } from '../support/serverProcess.ts'
import { signUpAt } from '../support/visitor.ts'
import { interleave, type Row, requestsPerSecond } from './measure.ts'

const [FEW, MANY] = [100, 10_000]
const SETTLE_MS = 15_000

/** Adds entries with a generation so high that no synchronization removes them. */
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
  // Wait until the sandbox has copied its own entries and their pictures.
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
