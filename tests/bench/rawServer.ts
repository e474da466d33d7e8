/** The floor of a trivial call: node:http answering the same bytes, headers included. Prints its port. */
import { createServer } from 'node:http'

const { body, headers }: { body: string; headers: Record<string, string> } = JSON.parse(process.argv[2] ?? '{}')
const server = createServer((_req, res) => {
  res.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' && address ? address.port : 0)
})
