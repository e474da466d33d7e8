/** The one reader of the environment. `readConfig` is a pure function of it and refuses a bad one with every reason. */
import { type ChainsConfig, readChainsConfig } from './chainConfig.ts'
import { type ContentfulConfig, readContentfulConfig } from './contentfulConfig.ts'

export type BankDetails = {
  accountHolder: string
  currency: 'EUR'
  swift: string
  bankName: string
  euroIban: string
  bankAddress: string
}

/** Who runs the product, for the footer of pages and the imprint of mails. */
export type Company = { name: string; address: string }

/** Links that the dashboard shows where they are set. */
export type Links = { appStore: string | undefined; playStore: string | undefined; telegram: string | undefined }

/** Access to the provider of the identity check. */
export type SumsubConfig = { url: string; appToken: string; secretKey: string; webhookSecret: string; level: string }

/** Which part of the work this process does. `all` does everything, but in production it does not sign. */
const ROLES = ['web', 'worker', 'signer', 'all'] as const
export type Role = (typeof ROLES)[number]

export type Config = {
  role: Role
  production: boolean
  host: string
  port: number
  /** Where the embedded database lives; unused with a databaseUrl. */
  dataDir: string
  /** Where the build is. */
  distDir: string
  databaseUrl: string | undefined
  databasePool: number
  secret: string
  publicUrl: string | undefined
  /** How many proxies in front of the server are trusted to tell the client's address. */
  proxyHops: number
  /** Multiplies every rate limit; 1 in production. */
  limitScale: number
  logLevel: string
  /** What opens the packages of the promotion; without it none is open. */
  promoCode: string | undefined
  /** The seller's fee, and the smallest order in whole CPC. */
  p2p: { feeBasisPoints: number; smallestCoins: number }
  smtpUrl: string | undefined
  mailFrom: string
  company: Company
  /** Where customers' messages go. */
  supportEmail: string
  links: Links
  bank: BankDetails
  bankStatementsDir: string | undefined
  pricesUrl: string | undefined
  chains: ChainsConfig
  identity: SumsubConfig
  /** Where editors write the news; undefined: the product has no news. */
  contentful: ContentfulConfig | undefined
  /** URL of the customer chat's script; without it no chat is shown. */
  chatScriptUrl: string | undefined
  /** Where the back arrow of the sign-in page leads. */
  marketingUrl: string
}

type Environment = Record<string, string | undefined>

const SANDBOX_SECRET = 'sandbox-secret-that-production-refuses'
const SECRET_MIN_LENGTH = 32
const SANDBOX_BANK: BankDetails = {
  accountHolder: 'CP Wallet Sandbox GmbH',
  currency: 'EUR',
  swift: 'COBADEFFXXX',
  bankName: 'Sandbox Bank',
  euroIban: 'DE89 3704 0044 0532 0130 00',
  bankAddress: 'Musterstrasse 1, 10115 Berlin, Germany'
}

const SANDBOX_COMPANY: Company = { name: 'CP Wallet Sandbox GmbH', address: 'Musterstrasse 1, 10115 Berlin, Germany' }

const SANDBOX_PROMO_CODE = 'ANNIVERSARY'

export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\nSee .env.example.`)
    this.name = 'ConfigError'
  }
}

function wholeNumber(
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

function checkUrl(env: Environment, name: string, protocols: string[], problems: string[]): void {
  const text = env[name]
  if (!text) return
  const protocol = URL.canParse(text) ? new URL(text).protocol : undefined
  if (!protocol || !protocols.includes(protocol)) problems.push(`${name} must start with ${protocols.join(' or ')}//`)
}

/** Required in production, besides the defaults. */
function checkProduction(env: Environment, problems: string[]): void {
  const required: Record<string, string> = {
    DATABASE_URL: 'the PostgreSQL database, e.g. postgres://user:password@host/wallet',
    PUBLIC_URL: 'the address customers use, e.g. https://wallet.example',
    SMTP_URL: 'the mail server, e.g. smtps://user:password@host',
    MAIL_FROM: 'the sender of every mail',
    SUPPORT_EMAIL: "where customers' messages go",
    PRICES_URL: 'the service that answers token prices in USD',
    COMPANY_NAME: 'the company that runs the product, for footers and imprints',
    COMPANY_ADDRESS: 'its address',
    BANK_STATEMENTS_DIR: 'the folder where the bank puts its camt.053 files',
    BANK_ACCOUNT_HOLDER: 'who receives the transfers',
    BANK_IBAN: 'the account that receives them',
    BANK_BIC: 'its BIC',
    BANK_NAME: "the bank's name",
    BANK_ADDRESS: "the bank's address",
    SUMSUB_APP_TOKEN: 'the app token of the identity provider',
    SUMSUB_SECRET_KEY: 'the secret that goes with it',
    SUMSUB_WEBHOOK_SECRET: 'the secret that its webhooks are signed with',
    SUMSUB_LEVEL: 'the level that customers are checked by, e.g. basic-kyc-level'
  }
  for (const [name, what] of Object.entries(required)) if (!env[name]) problems.push(`${name} is missing: ${what}`)
  const secret = env.SECRET ?? ''
  if (secret.length < SECRET_MIN_LENGTH || secret === SANDBOX_SECRET || new Set(secret).size < 10) {
    problems.push(
      `SECRET is missing or weak: at least ${SECRET_MIN_LENGTH} random characters, e.g. from \`openssl rand -base64 48\``
    )
  }
  if (env.PUBLIC_URL && !env.PUBLIC_URL.startsWith('https://')) problems.push('PUBLIC_URL must start with https://')
  if (!env.PROXY_HOPS)
    problems.push('PROXY_HOPS is missing: how many proxies stand in front; without it all customers share one limit')
  if (env.LIMIT_SCALE && env.LIMIT_SCALE !== '1') problems.push('LIMIT_SCALE must be 1 in production')
}

/** Reads the configuration of `env`; throws a ConfigError that lists every missing or weak setting at once. */
export function readConfig(env: Environment): Config {
  const problems: string[] = []
  const production = env.NODE_ENV === 'production'
  if (production) checkProduction(env, problems)
  checkUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:'], problems)
  checkUrl(env, 'SMTP_URL', ['smtp:', 'smtps:'], problems)
  checkUrl(env, 'PUBLIC_URL', ['http:', 'https:'], problems)
  checkUrl(env, 'PRICES_URL', ['http:', 'https:'], problems)
  checkUrl(env, 'SUMSUB_URL', ['http:', 'https:'], problems)
  checkUrl(env, 'CHAT_SCRIPT_URL', ['https:'], problems)
  for (const name of ['APP_STORE_URL', 'PLAY_STORE_URL', 'TELEGRAM_URL']) checkUrl(env, name, ['https:'], problems)
  checkUrl(env, 'MARKETING_URL', ['http:', 'https:'], problems)
  const role = ROLES.find((one) => one === (env.ROLE || 'all'))
  if (!role) problems.push(`ROLE must be ${ROLES.join(', ')}, not "${env.ROLE}"`)
  const config: Config = {
    role: role ?? 'all',
    production,
    host: production ? (env.HOST ?? '0.0.0.0') : '127.0.0.1',
    port: wholeNumber(env, 'PORT', 4321, [0, 65_535], problems),
    dataDir: env.DATA_DIR || '.data',
    distDir: env.DIST_DIR || 'dist',
    databaseUrl: env.DATABASE_URL || undefined,
    databasePool: wholeNumber(env, 'DATABASE_POOL', 12, [2, 64], problems),
    secret: env.SECRET || SANDBOX_SECRET,
    publicUrl: env.PUBLIC_URL || undefined,
    proxyHops: wholeNumber(env, 'PROXY_HOPS', 0, [0, 5], problems),
    limitScale: wholeNumber(env, 'LIMIT_SCALE', 1, [1, 100_000], problems),
    logLevel: env.LOG_LEVEL || 'info',
    smtpUrl: env.SMTP_URL || undefined,
    mailFrom: env.MAIL_FROM || 'CP Wallet <no-reply@localhost>',
    company: production ? { name: env.COMPANY_NAME ?? '', address: env.COMPANY_ADDRESS ?? '' } : SANDBOX_COMPANY,
    supportEmail: env.SUPPORT_EMAIL || 'support@localhost',
    links: {
      appStore: env.APP_STORE_URL || undefined,
      playStore: env.PLAY_STORE_URL || undefined,
      telegram: env.TELEGRAM_URL || undefined
    },
    bank: production
      ? {
          accountHolder: env.BANK_ACCOUNT_HOLDER ?? '',
          currency: 'EUR',
          swift: env.BANK_BIC ?? '',
          bankName: env.BANK_NAME ?? '',
          euroIban: env.BANK_IBAN ?? '',
          bankAddress: env.BANK_ADDRESS ?? ''
        }
      : SANDBOX_BANK,
    bankStatementsDir: env.BANK_STATEMENTS_DIR || undefined,
    pricesUrl: env.PRICES_URL || undefined,
    promoCode: env.PROMO_CODE?.trim() || (production ? undefined : SANDBOX_PROMO_CODE),
    p2p: {
      feeBasisPoints: wholeNumber(env, 'P2P_FEE_BASIS_POINTS', 100, [0, 2000], problems),
      smallestCoins: wholeNumber(env, 'P2P_SMALLEST_CPC', 10, [1, 1_000_000], problems)
    },
    chains: readChainsConfig(env, { role: role ?? 'all', production, problems }),
    identity: {
      url: env.SUMSUB_URL || 'https://api.sumsub.com',
      appToken: env.SUMSUB_APP_TOKEN ?? '',
      secretKey: env.SUMSUB_SECRET_KEY ?? '',
      webhookSecret: env.SUMSUB_WEBHOOK_SECRET ?? '',
      level: env.SUMSUB_LEVEL ?? ''
    },
    contentful: readContentfulConfig(env, problems),
    chatScriptUrl: env.CHAT_SCRIPT_URL || undefined,
    marketingUrl: env.MARKETING_URL || '/welcome'
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** The configuration of this process. */
export function processConfig(): Config {
  return readConfig(process.env)
}

/** React renders pages two to three times slower unless this is set before it is loaded. */
export function forceProductionRendering(): void {
  process.env.NODE_ENV = 'production'
}
