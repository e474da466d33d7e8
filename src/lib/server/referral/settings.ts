import { type Asked, type Environment, wholeNumber } from '../platform/config.ts'

/** `restDays`: days for which a reward stays on the reward account, while the bank may still take its payment back. */
export type ReferralConfig = { restDays: number }

const REST_DAYS = 14
const MOST_DAYS = 365

export function readReferralConfig(env: Environment, { problems }: Asked): ReferralConfig {
  return { restDays: wholeNumber(env, 'REFERRAL_REST_DAYS', REST_DAYS, [0, MOST_DAYS], problems) }
}
