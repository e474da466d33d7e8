/** The process: configuration, application, what its role serves, graceful stop. */
import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Application, compose } from './lib/server/app/compose.ts'
import { type Config, ConfigError, forceProductionRendering, processConfig } from './lib/server/platform/config.ts'
import { FolderInUseError } from './lib/server/platform/db/lock.ts'
import { createWebServer, type PageHandler } from './lib/server/platform/web/createServer.ts'
import { prepareDrain } from './lib/server/platform/web/drain.ts'
import { createHealthServer } from './lib/server/platform/web/healthServer.ts'
import { loadStaticFiles } from './lib/server/platform/web/static.ts'

const STOP_WITHIN_MS = 10_000
const root = fileURLToPath(new URL('..', import.meta.url))

const servesPages = ({ role }: Config) => role === 'web' || role === 'all'

async function createServerOf(app: Application, config: Config, dist: string): Promise<Server> {
  if (!servesPages(config)) return createHealthServer(app)
  const { handler }: { handler: PageHandler } = await import(pathToFileURL(`${dist}/server/entry.mjs`).href)
  const files = loadStaticFiles(`${dist}/client`)
  const scripts = JSON.parse(readFileSync(`${dist}/server/scripts.json`, 'utf8'))
  const { production } = config
  return createWebServer({ app, pages: handler, files, scripts, production, localNames: !config.publicUrl })
}

/** A sandbox on the embedded database keeps what its signer has signed beside it. */
function withJournal(config: Config): Config {
  const { chains, databaseUrl, dataDir } = config
  if (chains.signerJournal || databaseUrl) return config
  return { ...config, chains: { ...chains, signerJournal: resolve(dataDir, 'signer.sqlite') } }
}

async function start(): Promise<void> {
  const config = processConfig()
  const dist = resolve(root, config.distDir)
  if (servesPages(config) && !['entry.mjs', 'scripts.json'].every((file) => existsSync(`${dist}/server/${file}`)))
    throw new ConfigError(['the product is not built: run `npm run build` first'])
  forceProductionRendering()
  const app = await compose(withJournal(config))
  const server = await createServerOf(app, config, dist)
  const drain = prepareDrain(server)

  let stopping = false
  async function stop(signal: string): Promise<void> {
    if (stopping) return
    stopping = true
    app.logs.log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    const drained = drain()
    await app.endStreams()
    await drained
    await app.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))

  await new Promise<void>((listening, reject) => server.once('error', reject).listen(config.port, config.host, listening))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  app.logs.log.info({ port, host: config.host, role: config.role, sandbox: app.sandbox !== undefined }, 'listening')
  app.logs.flush()
  if (!config.production && servesPages(config))
    console.log(`\n  Open http://localhost:${port}  (sandbox: http://localhost:${port}/sandbox)\n`)
}

start().catch((error: unknown) => {
  const isOurs = error instanceof ConfigError || error instanceof FolderInUseError
  console.error(isOurs ? error.message : error)
  process.exit(1)
})
