/** Every kind of job that the product knows. */
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

export function jobsOf(context: Context, ports: Ports, imprint: Company): JobKind[] {
  return [
    mailJob(ports.mailer, { imprint, onEvent: (event) => recordNotice(context, event) }),
    sweepJob(context, cleanUps),
    dailyRatesJob(context, ports.rates),
    bankJob(context, ports.bank, { rates: ports.rates, onOrderCompleted })
  ]
}
