/** The floor of the balance call: node:http that runs its three queries, prepared, and answers their rows as JSON. */
import { createServer } from 'node:http'
import pg from 'pg'

const [url = '', sessionId = '', userId = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 12 })

const SESSION = `select u.id, u.email, s.id as session_id, s.expires_at, s.proved_at, u.locked_at
  from sessions s join users u on u.id = s.user_id where s.id = $1 and s.ended_at is null`
const HOLDINGS = 'select currency, kind, balance from accounts where owner_id = $1'

const ADDRESSES = 'select distinct on (chain) * from chain_addresses where user_id = $1 order by chain, id desc'

const server = createServer(async (_req, res) => {
  const session = await pool.query({ name: 'session', text: SESSION, values: [sessionId] })
  const [holdings, addresses] = await Promise.all([
    pool.query({ name: 'holdings', text: HOLDINGS, values: [userId] }),
    pool.query({ name: 'addresses', text: ADDRESSES, values: [userId] })
  ])
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([session.rows, holdings.rows, addresses.rows]))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' && address ? address.port : 0)
})
