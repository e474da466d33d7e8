/** All settings of a process: the platform's and each feature's. A pure function of the environment, which refuses a bad one. */
import { type ChainsConfig, readChainsConfig } from '../chains/settings.ts'
import { readSumsubConfig, type SumsubConfig } from '../identity/settings.ts'
import { type ContentfulConfig, readContentfulConfig } from '../news/settings.ts'
import { type BankDetails, readBankDetails, readPromoCode } from '../orders/settings.ts'
import { type P2pConfig, readP2pConfig } from '../p2p/settings.ts'
import {
  ConfigError,
  checkUrl,
  type Environment,
  IN_BACKGROUND,
  type PlatformConfig,
  processEnvironment,
  type Role,
  readAsked,
  readPlatformConfig,
  requireAll
} from '../platform/config.ts'
import { type ReferralConfig, readReferralConfig } from '../referral/settings.ts'
import { readScreeningConfig, type ScreeningConfig } from '../screening/settings.ts'
import { type DeskConfig, readDeskConfig } from '../staff/settings.ts'
import { readWithdrawalsConfig, type WithdrawalsConfig } from '../withdrawals/settings.ts'

export type Config = PlatformConfig & {
  bank: BankDetails
  promoCode: string | undefined
  bankStatementsDir: string | undefined
  pricesUrl: string | undefined
  /** A second service of prices, to compare with. */
  secondPricesUrl: string | undefined
  p2p: P2pConfig
  referral: ReferralConfig
  chains: ChainsConfig
  withdrawals: WithdrawalsConfig
  identity: SumsubConfig
  screening: ScreeningConfig
  /** Where editors write the news; undefined: the product has no news. */
  contentful: ContentfulConfig | undefined
  desk: DeskConfig
}

const REQUIRED = { PRICES_URL: 'the service that answers token prices in USD' }
const REQUIRED_OF_BANK = { BANK_STATEMENTS_DIR: 'the folder where the bank puts its camt.053 files' }
const PRICED: Role[] = ['web', 'worker', 'signer', 'all']

/** Throws a ConfigError that lists every missing or weak setting at once. */
export function readConfig(env: Environment): Config {
  const problems: string[] = []
  const asked = readAsked(env, problems)
  requireAll(env, REQUIRED, asked, PRICED)
  requireAll(env, REQUIRED_OF_BANK, asked, IN_BACKGROUND)
  for (const name of ['PRICES_URL', 'SECOND_PRICES_URL'])
    checkUrl(env, name, asked.production ? ['https:'] : ['http:', 'https:'], problems)
  const config: Config = {
    ...readPlatformConfig(env, asked),
    bank: readBankDetails(env, asked),
    promoCode: readPromoCode(env, asked),
    bankStatementsDir: env.BANK_STATEMENTS_DIR || undefined,
    pricesUrl: env.PRICES_URL || undefined,
    secondPricesUrl: env.SECOND_PRICES_URL || undefined,
    p2p: readP2pConfig(env, asked),
    referral: readReferralConfig(env, asked),
    chains: readChainsConfig(env, asked),
    withdrawals: readWithdrawalsConfig(env, asked),
    identity: readSumsubConfig(env, asked),
    screening: readScreeningConfig(env, asked),
    contentful: readContentfulConfig(env, problems),
    desk: readDeskConfig(env, asked)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** The configuration of this process. */
export function processConfig(): Config {
  return readConfig(processEnvironment())
}
