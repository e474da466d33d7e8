/** Wires everything, once a process. */
import type { CallName } from '#lib/contract/calls.ts'
import { calls, pathOf } from '#lib/contract/calls.ts'
import type { Failure } from '#lib/contract/errors.ts'
import type { Answer } from '#lib/contract/types.ts'
import { sessionCookieName } from '../access/sessionCookie.ts'
import { endSessionOfCookie } from '../access/sessions/end.ts'
import { findByCookie } from '../access/sessions/find.ts'
import { prepareSessionReads } from '../access/sessions/reads.ts'
import { receiveIdentityEvent } from '../identity/receive.ts'
import { receivePayment } from '../payments/receive.ts'
import type { Api } from '../platform/api/types.ts'
import type { Config } from '../platform/config.ts'
import type { Context, Customer } from '../platform/context.ts'
import { deriveKeys } from '../platform/crypto.ts'
import { type Connection, isReady, openEmbedded, openPostgres } from '../platform/db/client.ts'
import { startRelay } from '../platform/jobs/relay.ts'
import { sweep } from '../platform/jobs/sweep.ts'
import { createLogs, type Log, type Logs } from '../platform/log.ts'
import type { Ports } from '../platform/ports.ts'
import { createApi } from './api.ts'
import type { Sandbox } from './sandbox.ts'

type CallInput = { params?: Record<string, string | number>; query?: Record<string, string | number>; body?: unknown }

/** A call in process that failed, with what the API answered. */
class CallFailed extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.name = 'CallFailed'
    this.failure = failure
  }
}

/** What the server and its pages use. */
export type Application = {
  api: Api
  context: Context
  logs: Logs
  /** A call of the API in process, as this customer; throws CallFailed. */
  ask: <K extends CallName>(customer: Customer | undefined, name: K, input?: CallInput) => Promise<Answer<K>>
  sessionCookie: string
  /** The origin of the product's own pages, where it is configured. */
  publicOrigin: string | undefined
  chatScriptUrl: string | undefined
  secureCookie: boolean
  findCustomer: (cookie: string | undefined) => Promise<Customer | undefined>
  signOutCookie: (cookie: string) => Promise<void>
  isReady: () => Promise<boolean>
  /** The outside world to play with; undefined in production. */
  sandbox: Sandbox | undefined
  close: () => Promise<void>
}

const SWEEP_MS = 600_000

export type Overrides = { clock?: () => Date; connection?: Connection; ports?: (ports: Ports) => Ports }

export async function compose(config: Config, overrides: Overrides = {}): Promise<Application> {
  const logs = createLogs(config.logLevel)
  const { log } = logs
  const clock = overrides.clock ?? (() => new Date())
  const connection = overrides.connection ?? (await open(config, log))
  const { db } = connection
  const { ports, outside } = await createPorts(config, connection, clock, log)
  const context: Context = {
    db,
    reads: prepareSessionReads(db),
    clock,
    keys: deriveKeys(config.secret),
    ports: overrides.ports?.(ports) ?? ports,
    log,
    limitScale: config.limitScale,
    origin: config.publicUrl ? new URL(config.publicUrl).origin : `http://localhost:${config.port}`,
    wakeOutbox: () => relay.wake()
  }
  const relay = startRelay(context)
  const listening = context.ports.bank.listen((entry) => receivePayment(context, entry))
  const sweeping = setInterval(() => {
    sweep(context).catch((error: unknown) => log.error({ err: error }, 'not swept'))
  }, SWEEP_MS)
  sweeping.unref()
  const secureCookie = config.production
  const publicOrigin = config.publicUrl && new URL(config.publicUrl).origin
  const api = createApi({ context, proxyHops: config.proxyHops, secureCookie, publicOrigin })
  const sandbox = outside
    ? (await import('./sandbox.ts')).createSandbox(db, {
        ...outside,
        tellIdentity: (event) => receiveIdentityEvent(context, event),
        deliverMail: () => relay.flush()
      })
    : undefined
  return {
    api,
    context,
    logs,
    ask: (customer, name, input) => ask(api, customer, name, input),
    sessionCookie: sessionCookieName(secureCookie),
    publicOrigin,
    chatScriptUrl: config.chatScriptUrl,
    secureCookie,
    findCustomer: async (cookie) => (cookie ? findByCookie(context, cookie) : undefined),
    signOutCookie: (cookie) => endSessionOfCookie(context, cookie),
    isReady: () => isReady(db),
    sandbox,
    close: async () => {
      clearInterval(sweeping)
      await listening.stop()
      await relay.stop()
      await connection.close()
      logs.flush()
    }
  }
}

function open(config: Config, log: Log): Promise<Connection> {
  if (!config.databaseUrl) return openEmbedded(config.dataDir)
  return openPostgres(config.databaseUrl, {
    poolSize: config.databasePool,
    onLost: (error) => log.error({ err: error }, 'database connection lost')
  })
}

/** Real adapters in production, sandbox ones otherwise; the others are not even loaded. */
async function createPorts(config: Config, { db }: Connection, clock: () => Date, log: Log) {
  if (config.production) {
    const [{ smtpMailer }, { marketRates }, { camtBank }, { sumsubIdentity }] = await Promise.all([
      import('../platform/mail/smtp.ts'),
      import('../rates/market.ts'),
      import('../payments/bank/camt.ts'),
      import('../identity/sumsub.ts')
    ])
    const ports: Ports = {
      mailer: smtpMailer(config.smtpUrl ?? '', config.mailFrom),
      rates: marketRates(config.pricesUrl ?? '', clock),
      bank: camtBank(config.bank, config.bankStatementsDir ?? '', log),
      identity: sumsubIdentity(config.identity, clock)
    }
    return { ports, outside: undefined }
  }
  const [{ sandboxMailer }, { sandboxRates }, { sandboxBank }, { sandboxIdentity }] = await Promise.all([
    import('../platform/mail/sandbox.ts'),
    import('../rates/sandbox.ts'),
    import('../payments/bank/sandbox.ts'),
    import('../identity/sandbox.ts')
  ])
  const bank = sandboxBank(config.bank)
  const identity = sandboxIdentity(deriveKeys(config.secret).sandboxIdentity, clock)
  const ports: Ports = { mailer: sandboxMailer(db, clock), rates: sandboxRates(clock), bank, identity }
  return { ports, outside: { arrive: bank.arrive, identity } }
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
