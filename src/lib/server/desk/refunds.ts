/** Refunds, and the files that carry them to the bank, as the desk sees and makes them. */
import { formatCents } from '#lib/format/amount.ts'
import {
  type Bank,
  downloadRefundFile,
  findRefundFile,
  isFileRight,
  listRefundFiles,
  makeRefundFile,
  markRefundFileSent,
  refundStates
} from '../payments/index.ts'
import { actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { DeskError, keepEntry, namesOf, staffActor } from '../staff/index.ts'
import { nameOf } from './names.ts'
import { paymentDecision } from './paymentActs.ts'
import type { DeskHandlers, Propose } from './types.ts'

type RefundCall =
  | 'getRefunds'
  | 'makeRefundFile'
  | 'downloadRefundFile'
  | 'sendRefundFile'
  | 'proposeCancelRefundFile'
  | 'proposeRefundFileAgain'
export function refundHandlers(
  context: Context,
  bank: Bank,
  propose: Propose<'cancel_refund_file' | 'release_refund_file'>
): Pick<DeskHandlers, RefundCall> {
  const { db } = context
  const decide = paymentDecision(context)
  return {
    getRefunds: async ({ staff }) => {
      const [states, files, names] = await Promise.all([refundStates(db, context.clock()), listRefundFiles(db), namesOf(db)])
      return {
        states: [...states].map(([state, { count, cents, oldestAt }]) => ({
          state,
          count,
          cents: cents.toString(),
          oldestAt: oldestAt?.toISOString() ?? null
        })),
        files: files.map(({ id, sumCents, madeBy, madeAt, downloadedAt, cancelledAt, sentBy, sentAt, ...file }) => ({
          ...file,
          id: String(id),
          sumCents: sumCents.toString(),
          madeBy: nameOf(names, madeBy),
          madeAt: madeAt.toISOString(),
          downloadedAt: downloadedAt?.toISOString() ?? null,
          cancelledAt: cancelledAt?.toISOString() ?? null,
          sentBy: sentBy && nameOf(names, sentBy),
          sentAt: sentAt?.toISOString() ?? null,
          isYours: madeBy === actorText(staffActor(staff))
        }))
      }
    },
    makeRefundFile: async ({ staff }) => {
      const file = await decide(staff, 'make_refund_file', async (work) => {
        const made = await makeRefundFile(work, bank, staffActor(staff))
        if (!made) throw new DeskError('nothing_to_refund')
        const { id, messageId, digest, transfers, sumCents } = made
        const details = { messageId, digest, transfers, sumCents: sumCents.toString() }
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'make_refund_file',
          subject: `refund_file:${id}`,
          why: '',
          details
        })
        return made
      })
      return {
        message: `${file.messageId} is made: ${file.transfers} transfers, ${formatCents(file.sumCents, 'EUR')}. Download it once.`
      }
    },
    downloadRefundFile: async ({ staff, params }) => {
      const file = await decide(staff, 'make_refund_file', async (work) => {
        if (!(await findRefundFile(work.tx, BigInt(params.id)))) throw new DeskError('not_found')
        const taken = await downloadRefundFile(work, BigInt(params.id), staffActor(staff))
        if (!taken) throw new DeskError('file_downloaded')
        if (!(await isFileRight(work.tx, taken.id, 'download'))) throw new DeskError('file_outdated')
        const details = { messageId: taken.messageId, digest: taken.digest }
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'download_refund_file',
          subject: `refund_file:${params.id}`,
          why: '',
          details
        })
        return taken
      })
      return { name: `${file.messageId}.xml`, content: file.xml, type: 'application/xml', encoding: 'text' as const }
    },
    sendRefundFile: async ({ staff, params }) => {
      await decide(staff, 'send_refund_file', async (work) => {
        if (!(await markRefundFileSent(work, BigInt(params.id), staffActor(staff)))) throw new DeskError('file_not_to_send')
        if (!(await isFileRight(work.tx, BigInt(params.id), 'send'))) throw new DeskError('file_outdated')
        await keepEntry(work, { actor: staffActor(staff), act: 'send_refund_file', subject: `refund_file:${params.id}`, why: '' })
      })
      return { message: 'Marked as sent. The next statement confirms each transfer.' }
    },
    proposeCancelRefundFile: ({ staff, params, body }) => propose(staff, 'cancel_refund_file', { id: params.id }, body.why),
    proposeRefundFileAgain: ({ staff, params, body }) => propose(staff, 'release_refund_file', { id: params.id }, body.why)
  }
}
