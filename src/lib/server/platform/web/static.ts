/** Static files, read into memory once and sent as the build compressed them. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'

type Variant = { body: Buffer; encoding: 'br' | 'gzip' | undefined }
type StaticFile = { type: string; etag: string; cacheControl: string; variants: Variant[] }
export type StaticFiles = Map<string, StaticFile>

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8'
}
/** Built files have a hash in their name and do not change; other files expire after an hour. */
const HASHED = /^\/_astro\//

export function loadStaticFiles(folder: string): StaticFiles {
  const files: StaticFiles = new Map()
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const name of names) {
    const path = name.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '/')
    const plain = readFileSync(name)
    files.set(path, {
      type:
        path === '/prefetch.json' ? 'application/speculationrules+json' : (TYPES[extname(name)] ?? 'application/octet-stream'),
      etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 20)}"`,
      cacheControl: HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      variants: [...compressed(name, '.br', 'br'), ...compressed(name, '.gz', 'gzip'), { body: plain, encoding: undefined }]
    })
  }
  return files
}

function compressed(name: string, suffix: string, encoding: 'br' | 'gzip'): Variant[] {
  try {
    return [{ body: readFileSync(`${name}${suffix}`), encoding }]
  } catch {
    return []
  }
}

/** Serves a file and returns true; anything else is left to the next handler. */
export function serveStatic(files: StaticFiles, path: string, req: IncomingMessage, res: ServerResponse): boolean {
  const file = req.method === 'GET' || req.method === 'HEAD' ? files.get(path) : undefined
  if (!file) return false
  const accepted = req.headers['accept-encoding'] ?? ''
  const variant = file.variants.find(({ encoding }) => encoding === undefined || accepted.includes(encoding))
  if (!variant) return false
  res.setHeader('Content-Type', file.type)
  res.setHeader('Cache-Control', file.cacheControl)
  res.setHeader('ETag', file.etag)
  if (file.variants.length > 1) res.setHeader('Vary', 'Accept-Encoding')
  if (req.headers['if-none-match'] === file.etag) {
    res.writeHead(304).end()
    return true
  }
  if (variant.encoding) res.setHeader('Content-Encoding', variant.encoding)
  res.setHeader('Content-Length', variant.body.length)
  res.writeHead(200).end(req.method === 'HEAD' ? undefined : variant.body)
  return true
}
