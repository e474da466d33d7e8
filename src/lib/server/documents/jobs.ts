/** The jobs that make documents. The code that draws is loaded with the first document: a process that only serves pages never loads it. */
import type { Company } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'

const EVERY_SECONDS = 600
export const RECEIPT_JOB = 'receipt'
/** All kinds of jobs that make documents. */
export const DOCUMENT_JOBS = ['documents', RECEIPT_JOB]

/** For the sandbox: the next quarter ends now, and its documents are made. */
export async function endQuarter(context: Context, issuer: Company): Promise<void> {
  const { closeNextQuarter, makeDocuments } = await import('./make.ts')
  await closeNextQuarter(context)
  await makeDocuments(context, issuer)
}

async function settled(work: Promise<unknown>): Promise<PromiseSettledResult<unknown>> {
  const [outcome] = await Promise.allSettled([work])
  return outcome
}

export function documentJobs(context: Context, issuer: Company): JobKind[] {
  return [
    {
      name: 'documents',
      role: 'worker',
      everySeconds: EVERY_SECONDS,
      run: async () => {
        const [{ makeMissingReceipts }, { makeDocuments }] = await Promise.all([import('./receipts.ts'), import('./make.ts')])
        // A failure in one does not stop the other.
        const outcomes = [await settled(makeMissingReceipts(context, issuer)), await settled(makeDocuments(context, issuer))]
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
      }
    },
    {
      name: RECEIPT_JOB,
      role: 'worker',
      run: async (payload) => {
        const { orderId } = payload as { orderId: string }
        await (await import('./receipts.ts')).makeReceipt(context, issuer, orderId)
      }
    }
  ]
}
