/** Every kind of job: the platform's own, and those of the features. */

import { resumeChain } from '../chains/index.ts'
import { carriedActs, carryOutJob, reportJob } from '../desk/index.ts'
import { recordNotice } from '../notices/index.ts'
import { cleanUpJob } from '../platform/jobs/cleanUp.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { mailJobs } from '../platform/mail/job.ts'
import { cleanUps, featureJobs } from './features.ts'
import { healthJobs, knownFaults } from './health.ts'
import type { Parts } from './parts.ts'

export function jobsOf(parts: Parts): JobKind[] {
  const { context, config, ports, chains } = parts
  return [
    ...mailJobs(ports.mailer, { imprint: config.company, onEvent: (event) => recordNotice(context, event) }),
    cleanUpJob(context, cleanUps),
    ...healthJobs(context, config.withdrawals.owedMost, {
      signerKey: chains.deposits.proof,
      link: config.desk.url ?? `http://desk.localhost:${config.desk.port}`
    }),
    carryOutJob(carriedActs, {
      context,
      readOn: async (chain, made) => resumeChain(context, await ports.chainNode(chain), chains.following, made)
    }),
    reportJob(context, { issuer: config.company, signerKey: chains.deposits.proof, alarms: () => knownFaults(context) }),
    ...featureJobs(parts)
  ]
}
