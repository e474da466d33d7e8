/** The process: configuration, application, front server, graceful stop. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compose } from './lib/server/app/compose.ts'
import { ConfigError, forceProductionRendering, processConfig } from './lib/server/platform/config.ts'
import { FolderInUseError } from './lib/server/platform/db/lock.ts'
import { createWebServer, type PageHandler } from './lib/server/platform/web/createServer.ts'
import { loadStaticFiles } from './lib/server/platform/web/static.ts'

const STOP_WITHIN_MS = 10_000
const root = fileURLToPath(new URL('..', import.meta.url))

async function start(): Promise<void> {
  const config = processConfig()
  const dist = resolve(root, config.distDir)
  if (!['entry.mjs', 'scripts.json'].every((file) => existsSync(`${dist}/server/${file}`)))
    throw new ConfigError(['the product is not built: run `npm run build` first'])
  forceProductionRendering()
  const app = await compose(config)
  const { handler }: { handler: PageHandler } = await import(pathToFileURL(`${dist}/server/entry.mjs`).href)
  const files = loadStaticFiles(`${dist}/client`)
  const scripts = JSON.parse(readFileSync(`${dist}/server/scripts.json`, 'utf8'))
  const server = createWebServer({ app, pages: handler, files, scripts, production: config.production })

  let stopping = false
  async function stop(signal: string): Promise<void> {
    if (stopping) return
    stopping = true
    app.logs.log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    const closed = new Promise((done) => server.close(done))
    server.closeIdleConnections()
    await closed
    await app.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))

  await new Promise<void>((listening, reject) => server.once('error', reject).listen(config.port, config.host, listening))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  app.logs.log.info({ port, host: config.host, sandbox: app.sandbox !== undefined }, 'listening')
  app.logs.flush()
  if (!config.production) console.log(`\n  Open http://localhost:${port}  (sandbox: http://localhost:${port}/sandbox)\n`)
}

start().catch((error: unknown) => {
  const isOurs = error instanceof ConfigError || error instanceof FolderInUseError
  console.error(isOurs ? error.message : error)
  process.exit(1)
})
