/**
 * The one reader of the environment, and the settings of the platform. Each feature reads its own in its `settings.ts`; `app/config.ts`
 * puts them together. Every reader is a pure function that adds what is wrong to `problems`, so that a start names all of it at once.
 */
import { readFileSync } from 'node:fs'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { decimal, readDecimal, toUnits } from '#lib/domain/money/decimal.ts'
import type { TraceConfig } from './traceExport.ts'

/** Who runs the product, for the footer of pages and the imprint of mails. */
export type Company = { name: string; address: string }

/** Links that the dashboard shows if they are set: URLs, in the sandbox paths of its own pages. */
export type Links = { appStore: string | undefined; playStore: string | undefined; telegram: string | undefined }

/** Which part of the work this process does. `all` does everything, but in production it does not sign. */
const ROLES = ['web', 'worker', 'signer', 'desk', 'all'] as const
export type Role = (typeof ROLES)[number]

export type Environment = Record<string, string | undefined>
export type Asked = { role: Role; production: boolean; problems: string[] }

export type PlatformConfig = {
  role: Role
  production: boolean
  host: string
  port: number
  /** Where the embedded database lives; unused with a databaseUrl. */
  dataDir: string
  databaseUrl: string | undefined
  /** The file that holds it: read again for each new connection, so that a password can be replaced without a restart. */
  databaseUrlFile: string | undefined
  /** Host and port of a standby of it, for reads that may be a moment old. */
  databaseStandby: string | undefined
  databasePool: number
  secret: string
  /** Accepted, but makes nothing: the one before, or the next one, while SECRET is replaced. */
  secretAlso: string | undefined
  publicUrl: string | undefined
  /** How many proxies in front of the server are trusted to report the client's address. */
  proxyHops: number
  /** Multiplies every rate limit; 1 in production. */
  limitScale: number
  logLevel: string
  /** Where `/metrics` is served; undefined: nowhere. */
  metricsPort: number | undefined
  metricsHost: string
  /** Where spans are sent; undefined: nowhere. */
  traces: TraceConfig | undefined
  smtpUrl: string | undefined
  mailFrom: string
  company: Company
  /** Where customers' messages go. */
  supportEmail: string
  links: Links
  /** URL of the customer chat's script, in the sandbox a path; without it no chat is shown. */
  chatScriptUrl: string | undefined
  /** Where the back arrow of the sign-in page leads. */
  marketingUrl: string
}

const SANDBOX_SECRET = 'sandbox-secret-that-production-refuses'
const SECRET_MIN_LENGTH = 32
const SANDBOX_COMPANY: Company = { name: 'CP Wallet Sandbox GmbH', address: 'Musterstrasse 1, 10115 Berlin, Germany' }
const REQUIRED = { DATABASE_URL: 'the PostgreSQL database, e.g. postgres://user:password@host/wallet' }
const REQUIRED_FOR_CUSTOMERS = {
  PUBLIC_URL: 'the address customers use, e.g. https://wallet.example',
  SUPPORT_EMAIL: "where customers' messages go",
  COMPANY_NAME: 'the company that runs the product, for footers and imprints',
  COMPANY_ADDRESS: 'its address'
}
const REQUIRED_FOR_MAIL = {
  SMTP_URL: 'the mail server, e.g. smtps://user:password@host',
  MAIL_FROM: 'the sender of every mail'
}
const WEB = ['http:', 'https:']

export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\nSee .env.example.`)
    this.name = 'ConfigError'
  }
}

/** An amount of a token, in smallest units. `isZeroRight`: false for one that must be above zero. */
export function tokenAmount(
  env: Environment,
  name: string,
  { token, fallback, isZeroRight = true }: { token: string; fallback: string; isZeroRight?: boolean },
  problems: string[]
): bigint {
  const text = env[name] || fallback
  const read = readDecimal(text)
  const isRight = read !== undefined && (isZeroRight || read.digits > 0n)
  if (!isRight) problems.push(`${name} must be an amount of ${token}${isZeroRight ? '' : ' above zero'}, not "${text}"`)
  return toUnits(isRight ? read : decimal(fallback), decimalsOf(token), 'down')
}

export function wholeNumber(
  env: Environment,
  name: string,
  fallback: number,
  [least, most]: [number, number],
  problems: string[]
): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  problems.push(`${name} must be a whole number from ${least} to ${most}, not "${text}"`)
  return fallback
}

export function checkUrl(env: Environment, name: string, protocols: string[], problems: string[]): void {
  const text = env[name]
  if (!text) return
  const protocol = URL.canParse(text) ? new URL(text).protocol : undefined
  if (!protocol || !protocols.includes(protocol)) problems.push(`${name} must start with ${protocols.join(' or ')}//`)
}

/** http to a host outside a private network: anybody on the way could read and change what is said. */
function isOpenHttp({ protocol, hostname }: URL): boolean {
  const isNumber = /^[\d.]+$|^\[/.test(hostname)
  const isPrivate = isNumber
    ? /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname) || hostname === '[::1]' || /^\[f[cd]/i.test(hostname)
    : !hostname.includes('.') || /\.(internal|local|localhost)$/.test(hostname)
  return protocol === 'http:' && !isPrivate
}

/** An address outside this machine that is asked for customers' data, or believed: https, or a private network. */
export function checkOutside(env: Environment, name: string, problems: string[]): void {
  const text = env[name]
  if (!text) return
  if (!URL.canParse(text) || !WEB.includes(new URL(text).protocol)) problems.push(`${name} must start with http:// or https://`)
  else if (isOpenHttp(new URL(text))) problems.push(`${name} must start with https://: its host is not in a private network`)
}

/** The roles that serve customers, or work for them in the background; `all` is both. A signer does neither. */
export const FOR_CUSTOMERS: Role[] = ['web', 'worker', 'all']
export const IN_BACKGROUND: Role[] = ['worker', 'all']
const IN_FRONT: Role[] = ['web', 'desk', 'all']

/** Names each of these settings that production lacks, with what it is. `usedBy`: the roles that use them; the others need none of them. */
export function requireAll(
  env: Environment,
  required: Record<string, string>,
  { role, production, problems }: Asked,
  usedBy: readonly Role[]
): void {
  if (!production || !usedBy.includes(role)) return
  for (const [name, what] of Object.entries(required)) if (!env[name]) problems.push(`${name} is missing: ${what}`)
}

/** A database on another host whose connection is not encrypted, or does not check whom it talks to. */
function isOpenDatabase(text: string | undefined): boolean {
  if (!text || !URL.canParse(text)) return false
  const { hostname, searchParams } = new URL(text)
  // The driver takes the last of what is named twice, and `host` before the host of the address.
  const host = searchParams.getAll('host').at(-1) ?? hostname
  if (LOCAL_HOSTS.includes(host) || host.startsWith('/')) return false
  return searchParams.getAll('sslmode').at(-1) !== 'verify-full' || searchParams.has('uselibpqcompat') || searchParams.has('ssl')
}

const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i

/** The database's address at its standby: the same user, password and encryption. `standby`: host and port. */
export function addressOfStandby(databaseUrl: string, standby: string): string {
  const url = new URL(databaseUrl)
  // The driver would take them before the host of the address.
  for (const name of ['host', 'port']) url.searchParams.delete(name)
  url.host = standby
  return url.href
}

/** What the values themselves must be in production. */
function checkProduction(env: Environment, { role, problems }: Asked): void {
  const secret = env.SECRET ?? ''
  const isWeak = (text: string) => text.length < SECRET_MIN_LENGTH || text === SANDBOX_SECRET || new Set(text).size < 10
  if (FOR_CUSTOMERS.includes(role) && isWeak(secret)) {
    problems.push(
      `SECRET is missing or weak: at least ${SECRET_MIN_LENGTH} random characters, e.g. from \`openssl rand -base64 48\``
    )
  }
  if (env.SECRET_ALSO && isWeak(env.SECRET_ALSO))
    problems.push('SECRET_ALSO is weak: it is a SECRET, the one before or the next one')
  if (env.PUBLIC_URL && !env.PUBLIC_URL.startsWith('https://')) problems.push('PUBLIC_URL must start with https://')
  if (IN_FRONT.includes(role) && !env.PROXY_HOPS)
    problems.push('PROXY_HOPS is missing: how many proxies stand in front; without it all customers share one limit')
  if (env.LIMIT_SCALE && env.LIMIT_SCALE !== '1') problems.push('LIMIT_SCALE must be 1 in production')
  if (env.PGHOST) problems.push('PGHOST must not be set: DATABASE_URL names the database')
  if (env.DATABASE_URL && URL.canParse(env.DATABASE_URL) && new URL(env.DATABASE_URL).searchParams.has('options'))
    problems.push(
      'DATABASE_URL must not have options: they would replace those by which each connection opens, e.g. for reading only'
    )
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    problems.push('NODE_TLS_REJECT_UNAUTHORIZED must not be 0: every connection would believe anybody')
  const { DATABASE_URL: url, DATABASE_STANDBY: standby } = env
  if (isOpenDatabase(url))
    problems.push(
      'DATABASE_URL names another host: add sslmode=verify-full (and sslrootcert=FILE), or what it says can be read and changed on the way'
    )
  else if (url && standby && URL.canParse(url) && isOpenDatabase(addressOfStandby(url, standby)))
    problems.push('DATABASE_STANDBY names another host: add sslmode=verify-full (and sslrootcert=FILE) to DATABASE_URL')
}

const LOCAL_HOSTS = ['', 'localhost', '127.0.0.1', '[::1]']

/**
 * The sandbox gives everybody every mail, payment and coin. Settings of a real installation most likely mean that NODE_ENV was forgotten.
 */
function checkSandbox(env: Environment, problems: string[]): void {
  if (env.SANDBOX === 'public') return
  const isElsewhere =
    env.DATABASE_URL && URL.canParse(env.DATABASE_URL) && !LOCAL_HOSTS.includes(new URL(env.DATABASE_URL).hostname)
  for (const [isFound, what] of [
    [env.PUBLIC_URL?.startsWith('https://'), 'PUBLIC_URL starts with https://'],
    [isElsewhere, 'DATABASE_URL names another host']
  ])
    if (isFound)
      problems.push(`${what}, but NODE_ENV is not "production": this would be the sandbox. If it is meant, set SANDBOX=public`)
}

/** Which process this is: every other setting depends on it. */
export function readAsked(env: Environment, problems: string[]): Asked {
  const role = ROLES.find((one) => one === (env.ROLE || 'all'))
  if (!role) problems.push(`ROLE must be ${ROLES.join(', ')}, not "${env.ROLE}"`)
  return { role: role ?? 'all', production: env.NODE_ENV === 'production', problems }
}

function decodedValue(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** By the standard names of OpenTelemetry. */
function readTraces(env: Environment, problems: string[]): TraceConfig | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint) return undefined
  checkOutside(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', problems)
  const share = Number(env.OTEL_TRACES_SAMPLER_ARG || '1')
  if (!(share >= 0 && share <= 1))
    problems.push(`OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1, not "${env.OTEL_TRACES_SAMPLER_ARG}"`)
  const pairs = (env.OTEL_EXPORTER_OTLP_HEADERS || '').split(',').filter((pair) => pair.trim() !== '')
  const headers = pairs.flatMap((pair) => {
    const at = pair.indexOf('=')
    const value = decodedValue(pair.slice(at + 1).trim())
    if (at > 0 && value !== undefined) return [[pair.slice(0, at).trim(), value] as const]
    problems.push(
      'OTEL_EXPORTER_OTLP_HEADERS must be NAME=VALUE, several with commas between them; a comma or % within a value as %2C or %25'
    )
    return []
  })
  return { endpoint, headers: Object.fromEntries(headers), share }
}

export function readPlatformConfig(env: Environment, asked: Asked): PlatformConfig {
  const { role, production, problems } = asked
  requireAll(env, REQUIRED, asked, ROLES)
  requireAll(env, REQUIRED_FOR_CUSTOMERS, asked, FOR_CUSTOMERS)
  // Its mails lead customers to their pages.
  requireAll(env, { PUBLIC_URL: REQUIRED_FOR_CUSTOMERS.PUBLIC_URL }, asked, ['desk'])
  requireAll(env, REQUIRED_FOR_MAIL, asked, IN_BACKGROUND)
  if (production) checkProduction(env, asked)
  else checkSandbox(env, problems)
  checkUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:'], problems)
  if (env.DATABASE_STANDBY && !HOST_AND_PORT.test(env.DATABASE_STANDBY))
    problems.push(`DATABASE_STANDBY must be HOST:PORT, not "${env.DATABASE_STANDBY}"`)
  if (env.DATABASE_STANDBY && !env.DATABASE_URL)
    problems.push('DATABASE_STANDBY is set, but DATABASE_URL is not: it is a standby of that database')
  checkUrl(env, 'SMTP_URL', ['smtp:', 'smtps:'], problems)
  for (const name of ['PUBLIC_URL', 'MARKETING_URL']) checkUrl(env, name, WEB, problems)
  for (const name of ['CHAT_SCRIPT_URL', 'APP_STORE_URL', 'PLAY_STORE_URL', 'TELEGRAM_URL'])
    checkUrl(env, name, ['https:'], problems)
  /** An address outside the product. The sandbox leads to a page of its own instead, so that everything can be tried without settings. */
  const outside = (name: string, inSandbox: string) => env[name] || (production ? undefined : inSandbox)
  return {
    role,
    production,
    // The signer has no pages: only this machine may ask for its health, unless HOST says otherwise.
    host: production ? (env.HOST ?? (role === 'signer' ? '127.0.0.1' : '0.0.0.0')) : '127.0.0.1',
    port: wholeNumber(env, 'PORT', 4321, [0, 65_535], problems),
    dataDir: env.DATA_DIR || '.data',
    databaseUrl: env.DATABASE_URL || undefined,
    databaseUrlFile: env.DATABASE_URL_FILE || undefined,
    databaseStandby: env.DATABASE_STANDBY || undefined,
    databasePool: wholeNumber(env, 'DATABASE_POOL', 12, [2, 64], problems),
    secret: env.SECRET || SANDBOX_SECRET,
    secretAlso: env.SECRET_ALSO || undefined,
    publicUrl: env.PUBLIC_URL || undefined,
    proxyHops: wholeNumber(env, 'PROXY_HOPS', 0, [0, 5], problems),
    limitScale: wholeNumber(env, 'LIMIT_SCALE', 1, [1, 100_000], problems),
    logLevel: env.LOG_LEVEL || 'info',
    metricsPort: env.METRICS_PORT ? wholeNumber(env, 'METRICS_PORT', 9464, [0, 65_535], problems) : undefined,
    metricsHost: env.METRICS_HOST || '127.0.0.1',
    traces: readTraces(env, problems),
    smtpUrl: env.SMTP_URL || undefined,
    mailFrom: env.MAIL_FROM || 'CP Wallet <no-reply@localhost>',
    company: production ? { name: env.COMPANY_NAME ?? '', address: env.COMPANY_ADDRESS ?? '' } : SANDBOX_COMPANY,
    supportEmail: env.SUPPORT_EMAIL || 'support@localhost',
    links: {
      appStore: outside('APP_STORE_URL', '/sandbox#outside'),
      playStore: outside('PLAY_STORE_URL', '/sandbox#outside'),
      telegram: outside('TELEGRAM_URL', '/sandbox#outside')
    },
    chatScriptUrl: outside('CHAT_SCRIPT_URL', '/sandbox/chat.js'),
    marketingUrl: env.MARKETING_URL || '/welcome'
  }
}

/** Settings that may be named by a file instead: `SECRET_FILE=/run/secrets/secret` is SECRET with what the file holds. */
const FROM_FILES = [
  'DATABASE_URL',
  'SECRET',
  'SECRET_ALSO',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SUMSUB_APP_TOKEN',
  'SUMSUB_SECRET_KEY',
  'SUMSUB_WEBHOOK_SECRET',
  'BITCOIN_RPC_URL',
  'ETHEREUM_RPC_URL',
  'CPC_API_URL',
  'SECOND_BITCOIN_RPC_URL',
  'SECOND_ETHEREUM_RPC_URL',
  'SECOND_CPC_API_URL',
  'SCREENING_LIST',
  'PROMO_CODE',
  'CONTENTFUL_TOKEN',
  'CONTENTFUL_WEBHOOK_SECRET',
  'CONTENTFUL_PREVIEW_TOKEN',
  'CONTENTFUL_PREVIEW_KEY'
]

/** What a secret's file holds, without the line's end. Throws a ConfigError. */
export function readSecretFile(name: string, file: string): string {
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (text !== '') return text
    throw new Error('it is empty')
  } catch (error) {
    throw new ConfigError([`${name}_FILE cannot be read: ${error instanceof Error ? error.message : error}`])
  }
}

/** The environment with the secrets that files hold. Throws a ConfigError where one cannot be read, or is set in both ways. */
export function withSecretFiles(env: Environment): Environment {
  const found = FROM_FILES.flatMap((name) => {
    const file = env[`${name}_FILE`]
    if (!file) return []
    if (env[name]) throw new ConfigError([`${name} and ${name}_FILE are both set: only one of them may be`])
    return [[name, readSecretFile(name, file)] as const]
  })
  return { ...env, ...Object.fromEntries(found) }
}

/** The environment of this process. */
export function processEnvironment(): Environment {
  return withSecretFiles(process.env)
}

/** React renders pages two to three times slower unless this is set before it is loaded. */
export function forceProductionRendering(): void {
  process.env.NODE_ENV = 'production'
}
