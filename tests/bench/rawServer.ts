/** The floor of a trivial call: node:http that answers the text of its first argument. Prints its port. */
import { createServer } from 'node:http'

const body = process.argv[2] ?? ''
const length = Buffer.byteLength(body)
const server = createServer((_req, res) => {
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': length }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' && address ? address.port : 0)
})
