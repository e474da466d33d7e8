/** The application in memory, on the database engine of the Vitest project, with a clock that the test moves. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { inject } from 'vitest'
import type { CallName } from '#lib/contract/calls.ts'
import { type Application, compose, type Overrides } from '#lib/server/app/compose.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { ledgerChecks } from '#lib/server/app/features.ts'
import { post, type Transfer, verifyLedger, withStock } from '#lib/server/ledger/index.ts'
import { type BankEntry, receiveEntry } from '#lib/server/payments/index.ts'
import { type Connection, openEmbedded, openPostgres } from '#lib/server/platform/db/client.ts'
import { makeCustomer, PASSWORD } from './customers.ts'
import { freshDatabase } from './databases.ts'
import { hooks } from './hooks.ts'
import { LOCAL } from './local.ts'

/** The response to a call. `body` is `any`, because it is the tests that check its shape. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type Answer = { status: number; body: any; headers: Headers }
const ADA = { firstName: 'Ada', lastName: 'Lovelace' }

export type TestApp = {
  app: Application
  /** Moves the clock forward. */
  pass: (seconds: number) => void
  /** Calls the API, with a bearer if `token` is given. */
  send: (
    method: string,
    path: string,
    options?: { body?: unknown; token?: string; headers?: Record<string, string> }
  ) => Promise<Answer>
  /** Makes a call in process as this customer and returns its data; needs no valid token. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  ask: (customer: Pick<Customer, 'userId' | 'email'>, name: CallName, input?: Parameters<Application['ask']>[2]) => Promise<any>
  /** A `send` that keeps cookies between calls, as a browser does. */
  browser: () => TestApp['send']
  /** The newest code mailed to an address. */
  codeFor: (email: string) => Promise<string>
  mailsTo: (email: string) => Promise<{ subject: string; text: string }[]>
  /** Creates a customer directly in the database, without calls or mails; verified by default. */
  customer: (options?: { email?: string; referralCode?: string; unverified?: true }) => Promise<Customer>
  /** Signs up through the API and the mail; by default also completes the identity check. */
  signUp: (options?: { email?: string; referralCode?: string; unverified?: true }) => Promise<Customer>
  /** The provider of the identity check delivers a decision. */
  decideIdentity: (
    customer: Pick<Customer, 'userId' | 'email'>,
    decision: string,
    person?: { firstName: string; lastName: string; dob?: string }
  ) => Promise<void>
  /** The bank delivers an entry; missing fields are those of an ordinary payment of today. */
  arrive: (entry: Partial<BankEntry>) => ReturnType<typeof receiveEntry>
  /** Books transfers as an adjustment. */
  adjust: (transfers: Transfer[], reference?: string) => Promise<bigint>
  verifyLedger: () => ReturnType<typeof verifyLedger>
  close: () => Promise<void>
}
export type Customer = {
  email: string
  password: string
  token: string
  refreshToken: string
  cookie: string
  /** The `Cookie` header that identifies the browser of the sign-up. */
  browser: string
  userId: string
}

/** The `Cookie` header for the browser id that a response has set. */
function browserCookieOf(headers: Headers): string {
  const found = headers.getSetCookie().find((cookie) => cookie.startsWith('browser='))
  return found?.split(';', 1)[0] ?? ''
}

export { PASSWORD }

const START = new Date('2026-11-21T12:00:00.000Z')

async function openEngine(): Promise<Connection> {
  if (process.env.ENGINE !== 'postgres') return openEmbedded(undefined, new Blob([await readFile(inject('embeddedCopy'))]))
  return openPostgres(await freshDatabase(inject('postgresUrl')), { poolSize: 10, onLost: () => undefined })
}

export async function createTestApp({
  env = {},
  ...overrides
}: Overrides & { env?: Record<string, string> } = {}): Promise<TestApp> {
  let now = START.getTime()
  const connection = overrides.connection ?? (await openEngine())
  const config = readConfig({ LOG_LEVEL: 'silent', LIMIT_SCALE: '1000', ...env })
  const app = await compose(config, { clock: () => new Date(now), connection, recurring: false, ...overrides })

  const send: TestApp['send'] = async (method, path, { body, token, headers = {} } = {}) => {
    const init = {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) })
    }
    const response = await app.api.request(`/v1${path}`, init, LOCAL)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
  }

  const browser: TestApp['browser'] = () => {
    const cookies = new Map<string, string>()
    return async (method, path, options = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await send(method, path, { ...options, headers: { ...(cookie && { cookie }), ...options.headers } })
      for (const text of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
        cookies.set(name, value)
      }
      return answer
    }
  }

  const mailsTo: TestApp['mailsTo'] = async (email) => {
    await app.sandbox?.deliverMail()
    return ((await app.sandbox?.mails()) ?? []).filter(({ recipient }) => recipient === email)
  }
  const codeFor: TestApp['codeFor'] = async (email) => {
    const subjects = (await mailsTo(email)).map(({ subject }) => subject).join('\n')
    const code = /^\d{6}\b/m.exec(subjects)?.[0]
    if (!code) throw new Error(`No code was mailed to ${email}`)
    return code
  }

  const decideIdentity: TestApp['decideIdentity'] = async ({ userId, email }, decision, person = ADA) => {
    const link = await app.ports.identity.createLink({ userId, email }, 1800)
    const token = link.split('/').at(-1) ?? ''
    const done = await app.sandbox?.decideIdentity(token, decision, person)
    if (!done) throw new Error('The identity check was not decided')
  }

  const customer: TestApp['customer'] = async (options) => {
    const { userId, token, refreshToken, cookie, browser, email } = await makeCustomer(app, options)
    return { email, password: PASSWORD, token, refreshToken, cookie, browser, userId }
  }

  const signUp: TestApp['signUp'] = async ({ email = `${randomUUID()}@example.com`, referralCode, unverified } = {}) => {
    const first = await send('POST', '/users/signup', {
      body: { email, password: PASSWORD, phone: '+43 660 1234567', referralCode }
    })
    const browser = browserCookieOf(first.headers)
    const headers = { cookie: browser }
    const answer = await send('POST', '/users/signup/verify', { body: { email, token: await codeFor(email) }, headers })
    const cookie = /session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? ''
    const { token, refreshToken } = answer.body.data
    const profile = await send('GET', '/users/profile', { token })
    const { userId } = profile.body.data
    if (!unverified) await decideIdentity({ userId, email }, 'approve')
    return { email, password: PASSWORD, token, refreshToken, cookie, browser, userId }
  }

  return {
    app,
    pass: (seconds) => {
      now += seconds * 1000
    },
    send,
    ask: ({ userId, email }, name, input) => {
      const settings = { displayCurrency: 'USD', timeZone: null } as const
      const session = { sessionId: randomUUID(), expiresAt: new Date(now + 1), provedAt: null, lockedAt: null }
      return app.ask(
        { customer: { userId, email, ...session, ...settings }, browser: { headers: new Headers(), remoteAddress: '127.0.0.1' } },
        name,
        input
      )
    },
    browser,
    codeFor,
    mailsTo,
    customer,
    signUp,
    decideIdentity,
    arrive: (entry) => receiveEntry(app.context, { rates: app.ports.rates, ...hooks }, ordinary(entry, new Date(now))),
    adjust: (transfers, reference = `adjustment:${randomUUID()}`) =>
      app.context.db.transaction(async (tx) => {
        return post(tx, {
          reason: 'adjustment',
          source: { type: 'adjustment', id: reference },
          reference,
          actor: { kind: 'system', id: 'test' },
          transfers: await withStock(tx, transfers),
          at: new Date(now)
        })
      }),
    verifyLedger: () => verifyLedger(app.context.db, ledgerChecks),
    close: () => app.close()
  }
}

function ordinary(entry: Partial<BankEntry>, now: Date): BankEntry {
  const today = now.toISOString().slice(0, 10)
  return {
    entryId: randomUUID(),
    direction: 'credit',
    amountCents: 100n,
    currency: 'EUR',
    bookedOn: today,
    valueOn: today,
    remittance: '',
    payerName: 'Ada Lovelace',
    payerIban: 'AT611904300234573201',
    ...entry
  }
}
