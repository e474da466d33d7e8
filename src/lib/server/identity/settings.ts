/** Access to the provider of the identity check. */
import { type Asked, checkOutside, checkUrl, type Environment, FOR_CUSTOMERS, requireAll } from '../platform/config.ts'

export type SumsubConfig = { url: string; appToken: string; secretKey: string; webhookSecret: string; level: string }

const REQUIRED = {
  SUMSUB_APP_TOKEN: 'the app token of the identity provider',
  SUMSUB_SECRET_KEY: 'the secret that goes with it',
  SUMSUB_WEBHOOK_SECRET: 'the secret that its webhooks are signed with',
  SUMSUB_LEVEL: 'the level that customers are checked by, e.g. basic-kyc-level'
}

export function readSumsubConfig(env: Environment, asked: Asked): SumsubConfig {
  requireAll(env, REQUIRED, asked, FOR_CUSTOMERS)
  if (asked.production) checkOutside(env, 'SUMSUB_URL', asked.problems)
  else checkUrl(env, 'SUMSUB_URL', ['http:', 'https:'], asked.problems)
  return {
    url: env.SUMSUB_URL || 'https://api.sumsub.com',
    appToken: env.SUMSUB_APP_TOKEN ?? '',
    secretKey: env.SUMSUB_SECRET_KEY ?? '',
    webhookSecret: env.SUMSUB_WEBHOOK_SECRET ?? '',
    level: env.SUMSUB_LEVEL ?? ''
  }
}
