/**
 * Each feature, registered once: its calls, jobs, lines of the activity, checks of the books, clean-ups, and what it does when something
 * happens in an earlier feature. A new feature is one entry here, in the order of `.dependency-cruiser.mjs`.
 */
import { accessCleanUp, accessHandlers, gateReader, type OnAccountSecured } from '../access/index.ts'
import { activityHandlers } from '../activity/index.ts'
import { broadcastJobs, followJobs, joinJob, poolJob, sweepJobs } from '../chains/index.ts'
import { depositActivity, depositChecks, depositHandlers } from '../deposits/index.ts'
import { documentChecks, documentHandlers, documentJobs, RECEIPT_JOB } from '../documents/index.ts'
import { helpHandlers } from '../help/index.ts'
import { weeklyJob } from '../home/index.ts'
import { identityHandlers, identityResetJob, readIdentityData, verifiedSql } from '../identity/index.ts'
import { type LedgerCheck, stockChecks, stockJob } from '../ledger/index.ts'
import { newsCleanUp, newsHandlers, newsJobs } from '../news/index.ts'
import { againJob, noticeHandlers } from '../notices/index.ts'
import { orderActivity, orderChecks, orderHandlers, packagePrices } from '../orders/index.ts'
import { endOrders, lockOrdersOf, p2pActivity, p2pChecks, p2pHandlers, p2pJobs } from '../p2p/index.ts'
import {
  bankJobs,
  instructionJobs,
  type PaymentHooks,
  paymentActivity,
  paymentChecks,
  paymentPeople,
  takenBackOf
} from '../payments/index.ts'
import type { ActivitySource } from '../platform/activitySource.ts'
import type { CleanUp } from '../platform/jobs/cleanUp.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { dailyRatesJob, pricesJob } from '../rates/index.ts'
import {
  referralActivity,
  referralChecks,
  referralHandlers,
  restingRewards,
  rewardInviter,
  takeRewardBack
} from '../referral/index.ts'
import { creditorScreen, type NameScreen, payerScreen, screeningJobs } from '../screening/index.ts'
import { deskSettings, headJob, mayStill, staffCleanUp } from '../staff/index.ts'
import {
  returnActivity,
  revokeFeedOf,
  stakeChecks,
  stakeOnCompletion,
  stakingActivity,
  stakingHandlers,
  stakingJobs
} from '../staking/index.ts'
import { walletActivity, walletHandlers } from '../wallet/index.ts'
import {
  claimSigned,
  clearedJob,
  coldChecks,
  coldJobs,
  custodyJobs,
  endUnsigned,
  expiryJob,
  lockUnsignedOf,
  refillJobs,
  returnChecks,
  signJobs,
  withdrawalActivity,
  withdrawalChecks,
  withdrawalHandlers
} from '../withdrawals/index.ts'
import type { Config } from './config.ts'
import type { Parts } from './parts.ts'
import { refillingOf } from './refilling.ts'

type Feature = {
  handlers?: (parts: Parts) => object
  jobs?: (parts: Parts) => JobKind[]
  activity?: ActivitySource[]
  checks?: LedgerCheck[]
  cleanUps?: CleanUp[]
}

export const features = {
  ledger: { jobs: ({ context }) => [stockJob(context)], checks: stockChecks },
  rates: { jobs: ({ context, ports }) => [dailyRatesJob(context, ports.rates), pricesJob(ports.rates)] },
  access: {
    handlers: ({ context, config, publicOrigin }) =>
      accessHandlers({
        context,
        secureCookie: config.production,
        publicOrigin,
        identity: { readCheck: (customer) => readIdentityData(context, customer), readGate: gateReader(verifiedSql) },
        onAccountSecured,
        // The private link of the reward calendar needs no session.
        onPasswordReset: revokeFeedOf
      }),
    cleanUps: [accessCleanUp]
  },
  staff: {
    jobs: ({ context, chains: { headSigner } }) => (headSigner ? [headJob(context, headSigner)] : []),
    cleanUps: [staffCleanUp]
  },
  identity: {
    handlers: ({ context, ports }) => identityHandlers(context, ports.identity),
    jobs: ({ context, ports }) => [identityResetJob(context, ports.identity)]
  },
  screening: { jobs: ({ context, ports }) => screeningJobs(context, ports.screen, paymentPeople) },
  chains: {
    jobs: ({ context, config, ports, chains: { following, signer, signingOf } }) => [
      ...followJobs(context, ports.chainNode, following),
      ...broadcastJobs(context, ports.chainNode),
      ...(signingOf ? [...sweepJobs(context, signingOf), joinJob(context, signingOf, claimSigned)] : []),
      ...(signer ? [poolJob(context, signer, config.chains.poolSize)] : [])
    ]
  },
  wallet: {
    handlers: ({ context, config, ports, chains }) =>
      walletHandlers(context, {
        rates: ports.rates,
        proof: chains.deposits.proof,
        restingOf: (tx, of) => restingRewards(tx, config.referral, of),
        purchasesOf: async (db, orderIds) => {
          const [prices, takenBack] = await Promise.all([packagePrices(db, orderIds), takenBackOf(db, orderIds)])
          return { prices, takenBack }
        }
      }),
    activity: [walletActivity]
  },
  orders: {
    handlers: ({ context, config, ports }) =>
      orderHandlers(context, { rates: ports.rates, bank: ports.bank.details, promoCode: config.promoCode }),
    activity: [orderActivity],
    checks: orderChecks
  },
  payments: {
    jobs: ({ context, config, ports }) => {
      const all = { rates: ports.rates, ...paymentHooks(config, ports.screen) }
      return [
        ...bankJobs(context, ports.bank, all),
        ...instructionJobs(context, all, {
          aboveCents: async (db) => (await deskSettings(db)).payment_two_above,
          mayDecide: (db, id, kind) => mayStill(db, id, kind === 'assign' ? 'assign_payment' : 'refund_payment')
        })
      ]
    },
    activity: [paymentActivity],
    checks: paymentChecks
  },
  staking: {
    handlers: ({ context }) => stakingHandlers(context),
    jobs: ({ context }) => stakingJobs(context),
    activity: [stakingActivity, returnActivity],
    checks: stakeChecks
  },
  referral: {
    handlers: ({ context, config }) => referralHandlers(context, config.referral),
    activity: [referralActivity],
    checks: referralChecks
  },
  deposits: {
    handlers: ({ context, chains }) => depositHandlers(context, chains.deposits),
    activity: [depositActivity],
    checks: depositChecks
  },
  withdrawals: {
    handlers: ({ context, chains }) => withdrawalHandlers(context, chains.withdrawals),
    jobs: ({ context, config, ports, chains: { ceilingCents, cold, deposits, signingOf, withdrawals } }) => [
      expiryJob(context),
      clearedJob(context),
      ...custodyJobs(context, {
        nodeOf: ports.chainNode,
        rates: ports.rates,
        ceilingCents,
        floors: cold.floors,
        confirmations: config.chains.confirmations,
        proof: deposits.proof
      }),
      ...refillJobs(context, (chain) => refillingOf(config.chains, ports, chain)),
      ...(signingOf ? [...signJobs(context, withdrawals, signingOf), ...coldJobs(context, cold, signingOf)] : [])
    ],
    activity: [withdrawalActivity],
    checks: [...withdrawalChecks, ...coldChecks, ...returnChecks]
  },
  p2p: {
    handlers: ({ context, p2p, bookFeed }) => p2pHandlers(context, p2p, bookFeed),
    jobs: ({ context }) => p2pJobs(context),
    activity: [p2pActivity],
    checks: p2pChecks
  },
  news: {
    handlers: ({ context, ports }) => newsHandlers(context, ports.news),
    jobs: ({ context, ports }) => newsJobs(context, ports.news),
    cleanUps: [newsCleanUp]
  },
  help: { handlers: ({ context, config }) => helpHandlers(context, config.supportEmail) },
  activity: { handlers: ({ context }) => activityHandlers(context, activitySources) },
  documents: {
    handlers: ({ context }) => documentHandlers(context),
    jobs: ({ context, config }) => documentJobs(context, config.company),
    checks: documentChecks
  },
  home: { jobs: ({ context, ports }) => [weeklyJob(context, { rates: ports.rates })] },
  notices: { handlers: ({ context }) => noticeHandlers(context), jobs: ({ context }) => [againJob(context)] }
} satisfies Record<string, Feature>

const all: Feature[] = Object.values(features)

export const activitySources = all.flatMap(({ activity = [] }) => activity)
export const cleanUps = all.flatMap((feature) => feature.cleanUps ?? [])
export const ledgerChecks = all.flatMap(({ checks = [] }) => checks)
export const featureHandlers = (parts: Parts): object[] => all.flatMap(({ handlers }) => handlers?.(parts) ?? [])
export const featureJobs = (parts: Parts): JobKind[] => all.flatMap(({ jobs }) => jobs?.(parts) ?? [])

/**
 * Stops what an intruder may have begun, when a customer reports somebody else in their account: open orders, withdrawals that are not
 * signed, and the link of the reward calendar.
 */
const onAccountSecured: OnAccountSecured = async (context, work, userId) => {
  // All rows before the first booking: a purchase locks its order first, then the accounts.
  const [orders, withdrawals] = [await lockOrdersOf(work, userId), await lockUnsignedOf(work, userId)]
  await endUnsigned(context, work, withdrawals)
  await endOrders(context, work, orders)
  await revokeFeedOf(work, userId)
}

/** What follows an order's payment, in other features than payments. */
export function paymentHooks({ referral }: Pick<Config, 'referral'>, screen: NameScreen | undefined): PaymentHooks {
  const reward = rewardInviter(referral)
  return {
    /** In this sequence: the stake, then the inviter's reward. A job makes the receipt later. */
    onOrderCompleted: async (context, work, order) => {
      const transfers = [...(await stakeOnCompletion(context, work, order)), ...(await reward(context, work, order))]
      await work.enqueue({ kind: RECEIPT_JOB, payload: { orderId: order.id } })
      return transfers
    },
    onPaymentTakenBack: takeRewardBack,
    screenPayer: payerScreen(screen),
    screenCreditor: creditorScreen(screen)
  }
}
