/** Wires everything, once a process. */
import type { CallName } from '#lib/contract/calls.ts'
import type { Answer, TokenPair } from '#lib/contract/types.ts'
import { endSessionOfCookie, findByCookie, makeDuePair, sessionCookieName } from '../access/index.ts'
import type { ChainsConfig } from '../chains/settings.ts'
import { type DocumentFile, readDocumentFile, sampleLetters } from '../documents/index.ts'
import { missingFacts } from '../legal/index.ts'
import { readImageFile } from '../news/index.ts'
import { canTrade } from '../p2p/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Api } from '../platform/api/types.ts'
import { addressOfStandby, type Company, IN_BACKGROUND, type Links, type Role, readSecretFile } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { keysOf } from '../platform/crypto.ts'
import { type Connection, isReady, migratePostgres, openEmbedded, openPostgres } from '../platform/db/client.ts'
import { atAnyAge, lookTwice, onePage, reading } from '../platform/db/pageReads.ts'
import { startWorker, type Worker } from '../platform/jobs/worker.ts'
import { createLogs, type Log, type Logs } from '../platform/log.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { type FailedPage, pageFailed } from '../platform/web/pageFailed.ts'
import { createApi } from './api.ts'
import type { ChainParts } from './chains.ts'
import type { Config } from './config.ts'
import { createDesk, type DeskApplication } from './deskApi.ts'
import { activitySources, paymentHooks } from './features.ts'
import { FIGURES, readFigures } from './figures.ts'
import { knownFaults, knownRules, takeAlarm } from './health.ts'
import { ask, type Browser, type Caller, type CallInput, type FormOutcome, incomingOf, submit } from './inProcess.ts'
import { jobsOf } from './jobs.ts'
import { createParts, type Parts } from './parts.ts'
import { createPorts, type Ports, type SandboxWorld } from './ports.ts'
import type { Sandbox } from './sandbox.ts'
import { createStatus, type Status } from './status.ts'

/** What the server and its pages use. */
export type Application = {
  api: Api
  context: Context
  ports: Ports
  logs: Logs
  /** Calls the API in process, for a customer and their browser; throws CallFailed. */
  ask: <K extends CallName>(caller: Caller, name: K, input?: CallInput) => Promise<Answer<K>>
  /** Makes a call for a plain form of a visitor's browser, with that browser's cookies and address. Returns the cookies to set. */
  submit: <K extends CallName>(from: Browser, name: K, body: object) => Promise<FormOutcome<K>>
  /** Makes the token pair of a session that a plain form opened, once. */
  makeDuePair: (customer: Customer) => Promise<TokenPair | undefined>
  sessionCookie: string
  /** The origin of the product's pages; undefined if PUBLIC_URL is not set. */
  publicOrigin: string | undefined
  /** Where a customer looks at a transaction, by chain; `{id}` stands for its id. Empty: nowhere. */
  explorers: ChainsConfig['explorers']
  chatScriptUrl: string | undefined
  marketingUrl: string
  company: Company
  links: Links
  /** The product's status, for the footer of every page. */
  status: () => Status
  secureCookie: boolean
  /** Runs what answers one request for a page. */
  onePage: typeof onePage
  findCustomer: (cookie: string | undefined) => Promise<Customer | undefined>
  /** True if this customer may use P2P. */
  canTrade: (customer: Customer) => Promise<boolean>
  /** Writes down why a page failed; true if the database is away. */
  pageFailed: (error: unknown, where: FailedPage) => boolean
  signOutCookie: (cookie: string) => Promise<void>
  /** A document of this customer, by its file name. */
  readDocument: (customer: Customer, name: string) => Promise<DocumentFile | undefined>
  /** The letter of the euro screens' sample account, as PDF. */
  sampleLetter: () => Promise<Uint8Array>
  /** A picture of the news, by its file name. */
  readImage: (name: string) => Promise<{ body: Uint8Array; type: string } | undefined>
  isReady: () => Promise<boolean>
  /** The simulated outside world; undefined in production. */
  sandbox: Sandbox | undefined
  worker: Worker
  metrics: Metrics
  chains: ChainParts
  /** The operators' desk; served in ROLE=desk and ROLE=all. */
  desk: Desk
  /** Ends open event streams, which would keep the process from stopping. */
  endStreams: () => Promise<void>
  close: () => Promise<void>
}

/**
 * `listensOn`: takes the port of the sandbox's desk once it is known, because the desk's address has it.
 * @public `env.d.ts` gives it to the desk's pages: without it, all that they ask for has no type.
 */
export type Desk = DeskApplication & { origin: () => string; listensOn: (port: number) => void; isProduction: boolean }

/** `recurring`: false for tests that run recurring jobs by hand. */
export type Overrides = {
  clock?: () => Date
  connection?: Connection
  logs?: Logs
  ports?: (ports: Ports) => Ports
  recurring?: boolean
}

export async function compose(config: Config, overrides: Overrides = {}): Promise<Application> {
  const logs = overrides.logs ?? createLogs(config.logLevel)
  const connection = overrides.connection ?? (await open(config, logs.log))
  let worker: Worker | undefined
  const context: Context = {
    db: connection.db,
    quickDb: connection.quickDb,
    longDb: connection.longDb,
    clock: overrides.clock ?? (() => new Date()),
    ...keysOf(config.secret, config.secretAlso),
    log: logs.log,
    limitScale: config.limitScale,
    origin: config.publicUrl ? new URL(config.publicUrl).origin : `http://localhost:${config.port}`,
    wakeJobs: () => worker?.wake()
  }
  const { ports: configured, world } = await createPorts(config, connection.db, context)
  const parts = createParts(context, config, overrides.ports?.(configured) ?? configured, connection.listen)
  warnOnce(parts)
  await parts.chains.requireJournal()
  const sandboxChains = world && (await import('./sandboxChains.ts')).sandboxChains(parts)
  const kinds = [...jobsOf(parts), ...(sandboxChains ? [sandboxChains.stockJob] : [])]
  const own = kinds.filter(({ role }) => config.role === 'all' || role === config.role)
  worker = await startWorker(context, own, { recurring: overrides.recurring ?? true })
  const { api, serve } = createApi(parts)
  const askOf: Application['ask'] = (caller, name, input) =>
    ask({ serve, log: logs.log, proxyHops: config.proxyHops }, caller, name, input)
  const sandbox =
    world && sandboxChains && (await composeSandbox(parts, world, { chains: sandboxChains, api, ask: askOf, worker }))
  return {
    ...siteOf(config),
    ...servicesOf(parts, api),
    desk: composeDesk(parts),
    ask: askOf,
    logs,
    metrics: createMetrics(
      connection,
      IN_BACKGROUND.includes(config.role)
        ? { described: FIGURES, read: () => readFigures(context, signerDayCents(config)) }
        : undefined
    ),
    sandbox,
    worker,
    close: closing(parts, worker, connection, logs)
  }
}

/** What an operator should know of this process from its log. */
function warnOnce({ config, context: { log }, chains }: Parts): void {
  const missing = config.production ? missingFacts() : []
  if (missing.length > 0) log.warn({ missing }, 'the legal texts have gaps: fill in src/content/legal/owner.json')
  if (config.role === 'signer') log.info({ signerPublicKey: chains.deposits.proof }, 'SIGNER_PUBLIC_KEY of the other processes')
}

/** What the settings say to pages. */
function siteOf(config: Config) {
  return {
    sessionCookie: sessionCookieName(config.production),
    secureCookie: config.production,
    explorers: config.chains.explorers,
    chatScriptUrl: config.chatScriptUrl,
    marketingUrl: config.marketingUrl,
    company: config.company,
    links: config.links
  }
}

/** What the server and its pages ask for. */
function servicesOf(parts: Parts, api: Api) {
  const { context, config, ports, chains, publicOrigin, bookFeed } = parts
  return {
    api,
    context,
    ports,
    chains,
    publicOrigin,
    pageFailed: (error: unknown, where: FailedPage) => pageFailed(context.log, error, where),
    submit: ((from, name, body) => submit(api, from, name, body)) satisfies Application['submit'],
    status: createStatus(context, ports.rates),
    makeDuePair: (customer: Customer) => makeDuePair(context, customer),
    onePage,
    findCustomer: async (cookie: string | undefined) =>
      cookie ? reading(() => atAnyAge(() => findByCookie(context, cookie))) : undefined,
    signOutCookie: (cookie: string) => endSessionOfCookie(context, cookie),
    canTrade: (customer: Customer) => reading(() => canTrade(context, customer)),
    readDocument: (customer: Customer, name: string) => readDocumentFile(context, customer, name),
    sampleLetter: sampleLetters(config.company, context.clock, 'en'),
    readImage: (name: string) =>
      lookTwice(
        () => atAnyAge(() => readImageFile(context, name)),
        (found) => 'value' in found && !found.value
      ),
    isReady: () => isReady(context.db),
    endStreams: () => bookFeed.close()
  }
}

const signerDayCents = ({ chains }: Pick<Config, 'chains'>) => BigInt(chains.usd.signerDay) * 100n

function composeDesk({ context, config, chains, ports }: Parts): Desk {
  let { port } = config.desk
  const { production, proxyHops, desk } = config
  const origin = () => (desk.url ? new URL(desk.url).origin : `http://desk.localhost:${port}`)
  const application = createDesk(context, {
    production,
    proxyHops,
    withdrawals: chains.withdrawals,
    activity: activitySources,
    bank: ports.bank,
    faults: () => knownFaults(context),
    rules: () => knownRules(context),
    takeAlarm,
    deskOrigin: origin,
    customerOrigin: () => context.origin,
    supportEmail: config.supportEmail,
    keyRestHours: desk.keyRestHours,
    signerDayCents: signerDayCents(config)
  })
  return {
    ...application,
    origin,
    isProduction: production,
    listensOn: (at) => {
      port = at
    }
  }
}

type SandboxParts = {
  chains: Parameters<typeof import('./sandbox.ts').createSandbox>[2]['chains']
  api: Api
  ask: Application['ask']
  worker: Worker
}

/** The trader and the editors' system of the sandbox are no browsers; their calls are limited by addresses of their own. */
const TRADER: Browser = { headers: new Headers(), remoteAddress: 'sandbox-trader' }
const EDITOR: Browser = { headers: new Headers(), remoteAddress: 'sandbox-editor' }

/** The page `/sandbox`: its code is loaded only where there is one. */
async function composeSandbox(parts: Parts, world: SandboxWorld, { chains, api, ask, worker }: SandboxParts): Promise<Sandbox> {
  const { context, config, ports } = parts
  const [{ createSandbox }, { sandboxTrader }, { editorsDesk }] = await Promise.all([
    import('./sandbox.ts'),
    import('./sandboxTrader.ts'),
    import('../news/adapters/sandbox/desk.ts')
  ])
  return createSandbox(
    context,
    { rates: ports.rates, hooks: paymentHooks(config, ports.screen) },
    {
      ...world,
      chains,
      trader: sandboxTrader(context, world.identity, (customer, name, input) => ask({ customer, browser: TRADER }, name, input)),
      editor: editorsDesk(context, world.contentful, async (path, init) =>
        api.request(path, init, { incoming: incomingOf(EDITOR) })
      ),
      deliverMail: () => worker.flush(),
      issuer: config.company
    }
  )
}

function closing({ bookFeed, chains }: Parts, worker: Worker, connection: Connection, logs: Logs) {
  return async () => {
    await bookFeed.close()
    await worker.stop()
    chains.close()
    await connection.close()
    logs.flush()
  }
}

const SERVES_CUSTOMERS: Role[] = ['web', 'all']

/** Opens the configured database. ROLE=all migrates it first; a process with a single role waits for `npm run migrate`. */
export async function open(config: Config, log: Log): Promise<Connection> {
  if (!config.databaseUrl) return openEmbedded(config.dataDir)
  if (config.role === 'all') await migratePostgres(config.databaseUrl)
  const { databaseUrl, databaseUrlFile, databaseStandby } = config
  const urlNow = databaseUrlFile ? addressOf(databaseUrl, databaseUrlFile, log) : () => databaseUrl
  return openPostgres(databaseUrl, {
    poolSize: config.databasePool,
    urlNow,
    // Only customers' pages and calls read what may be a moment old.
    ...(databaseStandby &&
      SERVES_CUSTOMERS.includes(config.role) && {
        standbyUrlNow: () => addressOfStandby(urlNow(), databaseStandby),
        onStandby: (isUsed: boolean, reason: unknown) =>
          isUsed
            ? log.info('news are read from the standby')
            : log.warn({ err: reason }, 'the standby is not used: the primary is read instead')
      }),
    onLost: (error) => log.error({ err: error }, 'database connection lost')
  })
}

/** What the file holds at the moment; where it cannot be read, or names another place, what it held before. */
function addressOf(first: string, file: string, log: Log): () => string {
  let last = first
  return () => {
    try {
      const read = readSecretFile('DATABASE_URL', file)
      // Only the password is replaced while a process runs: all else was checked at its start.
      if (withoutPassword(read) !== withoutPassword(first)) throw new Error('it holds more than another password')
      last = read
    } catch (error) {
      log.error({ err: error }, 'the file of DATABASE_URL cannot be used: the address read before is')
    }
    return last
  }
}

function withoutPassword(text: string): string {
  const url = new URL(text)
  url.password = ''
  return url.href
}
