/** The process: configuration, application, what its role serves, graceful stop. */
import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { LOCALES, type Locale } from './lib/messages/locale.ts'
import { type Application, compose, open } from './lib/server/app/compose.ts'
import { type Config, processConfig } from './lib/server/app/config.ts'
import { ConfigError, forceProductionRendering } from './lib/server/platform/config.ts'
import { type Connection, isReady } from './lib/server/platform/db/client.ts'
import { FolderInUseError, lockFile } from './lib/server/platform/db/lock.ts'
import { createLogs, type Logs } from './lib/server/platform/log.ts'
import { createMetricsServer } from './lib/server/platform/metrics.ts'
import {
  createWebServer,
  hostOfCustomers,
  hostOfDesk,
  type LanguageBuild,
  type PageHandler
} from './lib/server/platform/web/createServer.ts'
import { prepareDrain } from './lib/server/platform/web/drain.ts'
import { createHealthServer } from './lib/server/platform/web/healthServer.ts'
import { loadStaticFiles, type StaticFiles } from './lib/server/platform/web/static.ts'

const STOP_WITHIN_MS = 10_000
/** How often a process asks whether what it waits for is there. */
const ASK_EVERY_MS = 500
/** The build that this process is part of: it runs as `dist/server/process/server.mjs`. */
const dist = fileURLToPath(new URL('../..', import.meta.url))

const servesPages = ({ role }: Config) => role === 'web' || role === 'all'

async function createServerOf(app: Application, config: Config): Promise<Server> {
  if (config.role === 'desk') return createDeskServer(app, config)
  if (!servesPages(config)) return createHealthServer(app, config)
  const builds = new Map<Locale, LanguageBuild>()
  const files: StaticFiles = new Map()
  // English last: of files with the same name in every language, such as icons, its files are used.
  for (const language of LOCALES.toReversed()) {
    const folder = language === 'en' ? dist : `${dist}/${language}`
    const { handler }: { handler: PageHandler } = await import(pathToFileURL(`${folder}/server/entry.mjs`).href)
    builds.set(language, { pages: handler, scripts: JSON.parse(readFileSync(`${folder}/server/scripts.json`, 'utf8')) })
    for (const [path, file] of loadStaticFiles(`${folder}/client`)) files.set(path, file)
  }
  const { production, publicUrl, desk } = config
  const isOurHost = hostOfCustomers({ publicUrl, deskUrl: desk.url })
  return createWebServer({ app, builds, files, production, isOurHost, metrics: app.metrics })
}

/** The operators' desk: another build, another API, another name. */
async function createDeskServer(
  { desk, context, isReady, logs, metrics }: Application,
  { production, desk: { url } }: Config
): Promise<Server> {
  const { handler }: { handler: PageHandler } = await import(pathToFileURL(`${dist}/desk/server/entry.mjs`).href)
  const build = { pages: handler, scripts: {} }
  return createWebServer({
    app: { api: desk.api, context, isReady, logs },
    builds: new Map(LOCALES.map((language) => [language, build])),
    files: loadStaticFiles(`${dist}/desk/client`),
    production,
    isOurHost: hostOfDesk(url),
    metrics,
    pageLocals: { desk }
  })
}

/** In ROLE=all the desk has a port of its own. Without it the product goes on: operators lose their desk, customers nothing. */
async function startDesk(app: Application, config: Config): Promise<Server | undefined> {
  const { role, production, desk, host } = config
  if (role !== 'all' || (production && !desk.url)) return undefined
  try {
    const server = await createDeskServer(app, config)
    await listen(server, desk.port, host)
    const port = portOf(server) ?? desk.port
    app.desk.listensOn(port)
    app.logs.log.info({ desk: port }, 'the desk listens')
    return server
  } catch (error) {
    app.logs.log.error({ err: error, port: desk.port }, 'the desk did not start')
    return undefined
  }
}

/** A process on the embedded database keeps the journal of its signer beside the database. */
function withJournal(config: Config): Config {
  const { chains, databaseUrl, dataDir } = config
  if (chains.signerJournal || databaseUrl) return config
  return { ...config, chains: { ...chains, signerJournal: resolve(dataDir, 'signer.sqlite') } }
}

/** Responds 503 to `/readyz` until `isThere`. Returns the port to listen on. */
async function waitFor(isThere: () => Promise<boolean>, what: string, config: Config, { log, flush }: Logs): Promise<number> {
  if (await isThere()) return config.port
  const waiting = createHealthServer({ isReady: async () => false }, config)
  await listen(waiting, config.port, config.host)
  const port = portOf(waiting) ?? config.port
  log.warn({ port, role: config.role }, what)
  flush()
  while (!(await isThere())) await new Promise((resume) => setTimeout(resume, ASK_EVERY_MS))
  waiting.closeAllConnections()
  await new Promise((closed) => waiting.close(closed))
  return port
}

/** Waits for `npm run migrate`. */
function waitForSchema(connection: Connection, config: Config, logs: Logs): Promise<number> {
  const what = 'the database lacks steps of this release: waiting for `npm run migrate`'
  return waitFor(() => isReady(connection.db).catch(() => false), what, config, logs)
}

/** Held as long as the process lives: the lock ends where nothing refers to it any more. */
let unlockJournal: (() => void) | undefined

/** Waits until no other signer has the journal: two with one journal would each know half of what was signed. */
function waitForJournal(config: Config, logs: Logs): Promise<number> {
  const { signerJournal } = config.chains
  const signs = config.role === 'signer' || config.role === 'all'
  if (!signs || !signerJournal || !config.databaseUrl) return Promise.resolve(config.port)
  const isLocked = async () => {
    unlockJournal = lockFile(`${signerJournal}.lock`)
    return unlockJournal !== undefined
  }
  return waitFor(isLocked, 'another signer has the journal: waiting until it ends', config, logs)
}

const listen = (server: Server, port: number, host: string) =>
  new Promise<void>((listening, reject) => server.once('error', reject).listen(port, host, listening))

function portOf(server: Server): number | undefined {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : undefined
}

async function start(): Promise<void> {
  const config = processConfig()
  if (servesPages(config) && !['entry.mjs', 'scripts.json'].every((file) => existsSync(`${dist}/server/${file}`)))
    throw new ConfigError(['the product is not built: run `npm run build` first'])
  forceProductionRendering()
  const traces =
    config.traces && (await import('./lib/server/platform/traceExport.ts')).startTraces(config.traces, `wallet-${config.role}`)
  const logs = createLogs(config.logLevel)
  traces?.tell(logs.log)
  const connection = await open(config, logs.log)
  const free = { ...config, port: await waitForSchema(connection, config, logs) }
  const wantedPort = await waitForJournal(free, logs)
  const app = await compose(withJournal(config), { connection, logs })
  const server = await createServerOf(app, config)
  const drain = prepareDrain(server)
  const deskServer = await startDesk(app, config)
  const drainDesk = deskServer && prepareDrain(deskServer)

  let stopping = false
  async function stop(signal: string): Promise<void> {
    if (stopping) return
    stopping = true
    app.logs.log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    const drained = Promise.all([drain(), drainDesk?.()])
    await app.endStreams()
    await drained
    await app.close()
    unlockJournal?.()
    await traces?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))

  await listen(server, wantedPort, config.host)
  const port = portOf(server) ?? wantedPort
  app.logs.log.info({ port, host: config.host, role: config.role, sandbox: app.sandbox !== undefined }, 'listening')
  if (config.metricsPort !== undefined) {
    const figures = createMetricsServer(app.metrics)
    try {
      await listen(figures, config.metricsPort, config.metricsHost)
      figures.unref()
      app.logs.log.info({ metrics: portOf(figures), host: config.metricsHost }, 'figures at /metrics')
    } catch (error) {
      // Customers are served all the same.
      app.logs.log.error({ err: error, port: config.metricsPort }, 'the figures are not served')
    }
  }
  app.logs.flush()
  if (!config.production && servesPages(config))
    console.log(
      `\n  Open http://localhost:${port}  (sandbox: http://localhost:${port}/sandbox${deskServer ? `; the operators' desk: ${app.desk.origin()}` : ''})\n`
    )
}

start().catch((error: unknown) => {
  const isOurs = error instanceof ConfigError || error instanceof FolderInUseError
  console.error(isOurs ? error.message : error)
  process.exit(1)
})
