/** Wires everything, once a process. */
import type { HttpBindings } from '@hono/node-server'
import type { CallName } from '#lib/contract/calls.ts'
import { calls, pathOf } from '#lib/contract/calls.ts'
import { CallFailed, type Failure } from '#lib/contract/errors.ts'
import type { Answer, TokenPair } from '#lib/contract/types.ts'
import { endSessionOfCookie, findByCookie, makeDuePair, sessionCookieName } from '../access/index.ts'
import { broadcastDue, fillPool, followChain, replaceStuck, sweepDue } from '../chains/index.ts'
import { type DocumentFile, makeSampleLetter, readDocumentFile } from '../documents/index.ts'
import { missingFacts } from '../legal/index.ts'
import { readImageFile } from '../news/index.ts'
import { canTrade, createBookFeed, p2pSettings } from '../p2p/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Api } from '../platform/api/types.ts'
import type { Company, Config, Links } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { keyRing } from '../platform/crypto.ts'
import { type Connection, isReady, migratePostgres, openEmbedded, openPostgres } from '../platform/db/client.ts'
import { startWorker, type Worker } from '../platform/jobs/worker.ts'
import { createLogs, type Log, type Logs } from '../platform/log.ts'
import { signApproved } from '../withdrawals/index.ts'
import { createApi } from './api.ts'
import { type ChainParts, chainParts } from './chains.ts'
import { jobsOf } from './jobs.ts'
import { createPorts, type Ports } from './ports.ts'
import type { Sandbox } from './sandbox.ts'
import { createStatus, type Status } from './status.ts'

type CallInput = { params?: Record<string, string | number>; query?: Record<string, string | number>; body?: unknown }

/** The browser behind a form: its headers, and the address that it connected from. */
type FormSender = { headers: Headers; remoteAddress: string | undefined }
type FormOutcome<K extends CallName> = {
  data: Answer<K> | undefined
  failure: Failure | undefined
  cookies: string[]
}

/** What the server and its pages use. */
export type Application = {
  api: Api
  context: Context
  ports: Ports
  logs: Logs
  /** A call of the API in process, as this customer; throws CallFailed. */
  ask: <K extends CallName>(customer: Customer | undefined, name: K, input?: CallInput) => Promise<Answer<K>>
  /** A call as a plain form of a visitor's browser, with that browser's cookies and address; answers the cookies to set. */
  submit: <K extends CallName>(from: FormSender, name: K, body: object) => Promise<FormOutcome<K>>
  /** The token pair of a session that a form opened, once. */
  makeDuePair: (customer: Customer) => Promise<TokenPair | undefined>
  sessionCookie: string
  /** The origin of the product's own pages, where it is configured. */
  publicOrigin: string | undefined
  /** Where a customer looks at a transaction, by chain; `{id}` stands for its id. Empty: nowhere. */
  explorers: Config['chains']['explorers']
  chatScriptUrl: string | undefined
  marketingUrl: string
  company: Company
  links: Links
  /** In one word, for the foot of every page. */
  status: () => Status
  secureCookie: boolean
  findCustomer: (cookie: string | undefined) => Promise<Customer | undefined>
  /** Whether P2P is there for this customer. */
  canTrade: (customer: Customer) => Promise<boolean>
  signOutCookie: (cookie: string) => Promise<void>
  /** A document of this customer by the name of its file. */
  readDocument: (customer: Customer, name: string) => Promise<DocumentFile | undefined>
  /** The letter of the euro screens' sample account, as PDF. */
  sampleLetter: () => Promise<Uint8Array>
  /** A picture of the news by the name of its file. */
  readImage: (name: string) => Promise<{ body: Uint8Array; type: string } | undefined>
  isReady: () => Promise<boolean>
  /** The simulated outside world; undefined in production. */
  sandbox: Sandbox | undefined
  worker: Worker
  chains: ChainParts
  /** Ends answers that go on by themselves, so that nothing keeps the process from stopping. */
  endStreams: () => Promise<void>
  close: () => Promise<void>
}

/** `recurring`: whether recurring jobs run; a test runs them by hand. */
export type Overrides = {
  clock?: () => Date
  connection?: Connection
  logs?: Logs
  ports?: (ports: Ports) => Ports
  recurring?: boolean
}

export async function compose(config: Config, overrides: Overrides = {}): Promise<Application> {
  const logs = overrides.logs ?? createLogs(config.logLevel)
  const { log } = logs
  const clock = overrides.clock ?? (() => new Date())
  const connection = overrides.connection ?? (await open(config, log))
  const { db } = connection
  const keyFor = keyRing(config.secret)
  const { ports: made, outside } = await createPorts(config, db, { clock, keyFor, log })
  const ports = overrides.ports?.(made) ?? made
  let worker: Worker | undefined
  const context: Context = {
    db,
    clock,
    keyFor,
    log,
    limitScale: config.limitScale,
    origin: config.publicUrl ? new URL(config.publicUrl).origin : `http://localhost:${config.port}`,
    wakeJobs: () => worker?.wake()
  }
  const { poolSize } = config.chains
  const chains = chainParts(context, config.chains, ports)
  const { deposits, withdrawals, following, signer, signingOf } = chains
  const outsideChains = outside
    ? (await import('./sandboxChains.ts')).sandboxChains(context, {
        proof: deposits.proof,
        fillPool: async () => signer && fillPool(context, signer, poolSize),
        follow: async (chain) => followChain(context, await ports.chainNode(chain), following),
        send: async (chain) => {
          if (signingOf) await signApproved(context, withdrawals, await signingOf(chain))
          await broadcastDue(context, await ports.chainNode(chain))
        },
        sweep: async (chain) => {
          if (signingOf && chain !== 'bitcoin') await sweepDue(context, await signingOf(chain))
          await broadcastDue(context, await ports.chainNode(chain))
        },
        replace: async (chain) => {
          if (signingOf) await replaceStuck(context, await signingOf(chain))
          await broadcastDue(context, await ports.chainNode(chain))
        }
      })
    : undefined
  const all = jobsOf(context, ports, { imprint: config.company, chains, poolSize })
  const kinds = [...all, ...(outsideChains ? [outsideChains.stockJob] : [])].filter(
    ({ role }) => config.role === 'all' || role === config.role
  )
  const missing = config.production ? missingFacts() : []
  if (missing.length > 0) log.warn({ missing }, 'the legal texts have gaps: fill in src/content/legal/owner.json')
  if (config.role === 'signer') log.info({ signerPublicKey: deposits.proof }, 'SIGNER_PUBLIC_KEY of the other processes')
  worker = await startWorker(context, kinds, { recurring: overrides.recurring ?? true })
  const running = worker
  const secureCookie = config.production
  const publicOrigin = config.publicUrl && new URL(config.publicUrl).origin
  const bookFeed = createBookFeed(context, connection.listen)
  const api = createApi({
    context,
    ports,
    deposits,
    withdrawals,
    p2p: p2pSettings(config.p2p, ports.rates, withdrawals.limits.dayCents),
    bookFeed,
    promoCode: config.promoCode,
    supportEmail: config.supportEmail,
    proxyHops: config.proxyHops,
    secureCookie,
    publicOrigin
  })
  const sandbox =
    outside && outsideChains
      ? (await import('./sandbox.ts')).createSandbox(context, ports, {
          ...outside,
          chains: outsideChains,
          trader: (await import('./sandboxTrader.ts')).sandboxTrader(context, outside.identity, (customer, name, input) =>
            ask(api, customer, name, input)
          ),
          editor: (await import('../news/adapters/sandbox/desk.ts')).editorsDesk(
            context,
            outside.contentful,
            async (path, init) => api.request(path, init)
          ),
          deliverMail: () => running.flush(),
          issuer: config.company
        })
      : undefined
  return {
    api,
    context,
    ports,
    logs,
    ask: (customer, name, input) => ask(api, customer, name, input),
    submit: (from, name, body) => submit(api, from, name, body),
    makeDuePair: (customer) => makeDuePair(context, customer),
    sessionCookie: sessionCookieName(secureCookie),
    publicOrigin,
    explorers: config.chains.explorers,
    chatScriptUrl: config.chatScriptUrl,
    marketingUrl: config.marketingUrl,
    company: config.company,
    links: config.links,
    status: createStatus(context, ports.rates),
    secureCookie,
    findCustomer: async (cookie) => (cookie ? findByCookie(context, cookie) : undefined),
    canTrade: (customer) => canTrade(context, customer),
    readDocument: (customer, name) => readDocumentFile(context, customer, name),
    sampleLetter: () => makeSampleLetter(config.company, clock(), 'en'),
    readImage: (name) => readImageFile(context, name),
    signOutCookie: (cookie) => endSessionOfCookie(context, cookie),
    isReady: () => isReady(db),
    sandbox,
    worker: running,
    chains,
    endStreams: () => bookFeed.close(),
    close: async () => {
      await bookFeed.close()
      await running.stop()
      chains.close()
      await connection.close()
      logs.flush()
    }
  }
}

/** Opens the configured database. A process that does everything migrates it first; one with a single role waits for `npm run migrate`. */
export async function open(config: Config, log: Log): Promise<Connection> {
  if (!config.databaseUrl) return openEmbedded(config.dataDir)
  if (config.role === 'all') await migratePostgres(config.databaseUrl)
  return openPostgres(config.databaseUrl, {
    poolSize: config.databasePool,
    onLost: (error) => log.error({ err: error }, 'database connection lost')
  })
}

async function ask<K extends CallName>(
  api: Api,
  customer: Customer | undefined,
  name: K,
  input: CallInput = {}
): Promise<Answer<K>> {
  const query = new URLSearchParams(Object.entries(input.query ?? {}).map(([key, value]) => [key, String(value)]))
  const url = `/v1${pathOf(name, input.params)}${query.size > 0 ? `?${query}` : ''}`
  const init = {
    method: calls[name].method,
    ...(input.body !== undefined && {
      body: JSON.stringify(input.body),
      headers: { 'content-type': 'application/json' }
    })
  }
  const response = await api.request(url, init, customer ? { customer } : {})
  const body: { data: Answer<K> } | Failure = await response.json()
  if ('data' in body) return body.data
  throw new CallFailed(body)
}

const FORWARDED = ['cookie', 'user-agent', 'x-forwarded-for', 'host']

async function submit<K extends CallName>(
  api: Api,
  { headers, remoteAddress }: FormSender,
  name: K,
  body: object
): Promise<FormOutcome<K>> {
  const kept = FORWARDED.flatMap((header) => {
    const value = headers.get(header)
    return value === null ? [] : [[header, value] as [string, string]]
  })
  const init = {
    method: calls[name].method,
    body: JSON.stringify(body),
    headers: [...kept, ['content-type', 'application/json'] as [string, string]]
  }
  const incoming = { socket: { remoteAddress } } as HttpBindings['incoming']
  const response = await api.request(`/v1${pathOf(name)}`, init, { incoming, isForm: true })
  const answer: { data: Answer<K> } | Failure = await response.json()
  const cookies = response.headers.getSetCookie()
  return 'data' in answer ? { data: answer.data, failure: undefined, cookies } : { data: undefined, failure: answer, cookies }
}
