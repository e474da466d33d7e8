/** `/v1/openapi.json`: the description of the API, made once, with an ETag. */
import { createHash } from 'node:crypto'
import type { Api } from './types.ts'

const BASE = '/v1'
const CACHE_CONTROL = 'public, max-age=300'

/** Serves the description of the calls that are mounted so far. Its paths are relative to the server's URL, which ends with `/v1`. */
export function describeApi(api: Api, title: string): void {
  let made: { text: string; etag: string } | undefined

  function make() {
    const { paths = {}, ...rest } = api.getOpenAPI31Document({ openapi: '3.1.0', info: { title, version: '1' } })
    const relative = Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : path, item])
    )
    const text = JSON.stringify({ ...rest, servers: [{ url: BASE }], paths: relative })
    return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 20)}"` }
  }

  api.get('/openapi.json', (http) => {
    made ??= make()
    const headers = { ETag: made.etag, 'Cache-Control': CACHE_CONTROL }
    if (http.req.header('if-none-match') === made.etag) return http.body(null, 304, headers)
    return http.body(made.text, 200, { ...headers, 'Content-Type': 'application/json; charset=utf-8' })
  })
}
