/** Serves the built single-page app like a good host: files compressed and cached as immutable, `/v1` proxied to the API. */
import { readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { extname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }

export async function serveBaseline(folder: string, apiUrl: string): Promise<{ url: string; stop: () => void }> {
  const compressed = new Map<string, Buffer>()
  const read = (name: string): Buffer => {
    const known = compressed.get(name)
    if (known) return known
    const body = brotliCompressSync(readFileSync(join(folder, name)))
    compressed.set(name, body)
    return body
  }
  const server: Server = createServer((req, res) => {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    if (path.startsWith('/v1/')) {
      const passed = request(`${apiUrl}${req.url}`, { method: req.method ?? 'GET', headers: req.headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(res)
      })
      req.pipe(passed)
      return
    }
    const name = extname(path) === '' ? '/index.html' : path
    try {
      const body = read(name)
      const cacheControl = name === '/index.html' ? 'no-cache' : 'public, max-age=31536000, immutable'
      res.writeHead(200, {
        'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
        'content-encoding': 'br',
        'content-length': body.length,
        'cache-control': cacheControl
      })
      res.end(body)
    } catch {
      res.writeHead(404, { 'content-type': 'text/plain' }).end('Not found')
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
