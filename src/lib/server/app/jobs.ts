/** Every kind of job that the product knows. */
import { type BlockListener, followJobs, poolJob, type Signer } from '../chains/index.ts'
import { recordNotice } from '../notices/index.ts'
import { bankJob } from '../payments/index.ts'
import type { Company } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { sweepJob } from '../platform/jobs/sweep.ts'
import { mailJob } from '../platform/mail/job.ts'
import { dailyRatesJob } from '../rates/index.ts'
import { cleanUps, onOrderCompleted } from './features.ts'
import type { Ports } from './ports.ts'

type Needed = {
  imprint: Company
  /** What features do with the blocks of the chains. */
  listeners: BlockListener[]
  /** Undefined where this process has no seed. */
  signer: Signer | undefined
  poolSize: number
}

export function jobsOf(context: Context, ports: Ports, { imprint, listeners, signer, poolSize }: Needed): JobKind[] {
  return [
    mailJob(ports.mailer, { imprint, onEvent: (event) => recordNotice(context, event) }),
    sweepJob(context, cleanUps),
    dailyRatesJob(context, ports.rates),
    bankJob(context, ports.bank, { rates: ports.rates, onOrderCompleted }),
    ...followJobs(context, ports.chainNode, listeners),
    ...(signer ? [poolJob(context, signer, poolSize)] : [])
  ]
}
