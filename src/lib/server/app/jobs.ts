/** Every kind of job that the product knows. */
import { broadcastJobs, followJobs, poolJob, sweepJobs } from '../chains/index.ts'
import { documentJobs } from '../documents/index.ts'
import { newsJobs } from '../news/index.ts'
import { recordNotice } from '../notices/index.ts'
import { p2pJobs } from '../p2p/index.ts'
import { bankJob } from '../payments/index.ts'
import type { Company } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { cleanUpJob } from '../platform/jobs/cleanUp.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { mailJob } from '../platform/mail/job.ts'
import { dailyRatesJob } from '../rates/index.ts'
import { stakingJob } from '../staking/index.ts'
import { custodyJobs, expiryJob, signJobs } from '../withdrawals/index.ts'
import type { ChainParts } from './chains.ts'
import { cleanUps, onOrderCompleted } from './features.ts'
import type { Ports } from './ports.ts'

type Needed = {
  imprint: Company
  chains: ChainParts
  poolSize: number
}

export function jobsOf(context: Context, ports: Ports, { imprint, chains, poolSize }: Needed): JobKind[] {
  const { ceilingCents, following, signer, signingOf, withdrawals } = chains
  return [
    mailJob(ports.mailer, { imprint, onEvent: (event) => recordNotice(context, event) }),
    cleanUpJob(context, cleanUps),
    dailyRatesJob(context, ports.rates),
    bankJob(context, ports.bank, { rates: ports.rates, onOrderCompleted }),
    ...followJobs(context, ports.chainNode, following),
    ...broadcastJobs(context, ports.chainNode),
    expiryJob(context),
    ...p2pJobs(context),
    stakingJob(context),
    ...documentJobs(context, imprint),
    ...newsJobs(context, ports.news),
    ...custodyJobs(context, { nodeOf: ports.chainNode, rates: ports.rates, ceilingCents }),
    ...(signingOf ? [...signJobs(context, withdrawals, signingOf), ...sweepJobs(context, signingOf)] : []),
    ...(signer ? [poolJob(context, signer, poolSize)] : [])
  ]
}
