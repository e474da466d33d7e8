/** The jobs that make documents. What draws them is loaded by the first job, so that a process that serves pages never loads it. */
import type { Company } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'

const EVERY_SECONDS = 600
export const RECEIPT_JOB = 'receipt'

/** For the sandbox: the next quarter ends now, and its documents are made. */
export async function endQuarter(context: Context, issuer: Company): Promise<void> {
  const { closeNextQuarter, makeDocuments } = await import('./make.ts')
  await closeNextQuarter(context)
  await makeDocuments(context, issuer)
}

export function documentJobs(context: Context, issuer: Company): JobKind[] {
  return [
    {
      name: 'documents',
      role: 'worker',
      everySeconds: EVERY_SECONDS,
      run: async () => {
        await (await import('./receipts.ts')).makeMissingReceipts(context, issuer)
        await (await import('./make.ts')).makeDocuments(context, issuer)
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
