/** CPC, a chain of the NXT family, by its HTTP API. Source: https://nxtdocs.jelurida.com/API */
import { z } from 'zod'
import { type ChainNode, NodeError } from '../port.ts'
import { requestJson } from '../request.ts'

const id = z.string().regex(/^\d{1,20}$/)
const status = z.object({ lastBlock: id, numberOfBlocks: z.number().int().positive(), isScanning: z.boolean() })
const payment = z.object({
  transaction: id,
  type: z.number().int(),
  subtype: z.number().int(),
  senderRS: z.string(),
  recipientRS: z.string().optional(),
  amountNQT: z.string().regex(/^\d{1,19}$/),
  /** A payment that waits for votes or a date: it moves nothing yet. */
  phased: z.boolean().optional()
})
const block = z.object({
  block: id,
  height: z.number().int().nonnegative(),
  previousBlock: id.optional(),
  transactions: z.array(payment),
  /** Phased payments of earlier blocks that this block carries out. */
  executedPhasedTransactions: z.array(payment).optional()
})
const refused = z.object({ errorCode: z.number().int(), errorDescription: z.string() })
const ORDINARY_PAYMENT = { type: 0, subtype: 0 }

/** `url`: where the API answers, e.g. `http://127.0.0.1:7876/nxt`. */
export function cpcNode(url: string): ChainNode {
  async function ask<T>(requestType: string, params: Record<string, string>, shape: z.ZodType<T>): Promise<T> {
    const target = new URL(url)
    target.search = new URLSearchParams({ requestType, ...params }).toString()
    const answered = await requestJson(target)
    const error = refused.safeParse(answered)
    if (error.success) throw new NodeError(`${requestType}: ${error.data.errorDescription}`)
    const result = shape.safeParse(answered)
    if (!result.success) throw new NodeError(`${requestType}: the node answered something else`)
    return result.data
  }
  const readBlock = (height: number) =>
    ask('getBlock', { height: String(height), includeTransactions: 'true', includeExecutedPhased: 'true' }, block)

  return {
    chain: 'cpc',
    tip: async () => {
      const { lastBlock, numberOfBlocks, isScanning } = await ask('getBlockchainStatus', {}, status)
      // While it reads its own database again, its newest block is not the newest that it knows.
      if (isScanning) throw new NodeError('The node is scanning its blocks')
      return { height: numberOfBlocks - 1, hash: lastBlock }
    },
    hashAt: async (height) => (await ask('getBlockId', { height: String(height) }, z.object({ block: id }))).block,
    blockAt: async (height) => {
      const found = await readBlock(height)
      return {
        height: found.height,
        hash: found.block,
        parent: found.previousBlock ?? '',
        transactions: [...found.transactions.filter(({ phased }) => !phased), ...(found.executedPhasedTransactions ?? [])].map(
          (one) => ({
            id: one.transaction,
            senders: [one.senderRS],
            spends: [],
            payments:
              one.type === ORDINARY_PAYMENT.type && one.subtype === ORDINARY_PAYMENT.subtype && one.recipientRS
                ? [{ index: '0', address: one.recipientRS, token: 'CPC', amount: BigInt(one.amountNQT) }]
                : []
          })
        )
      }
    }
  }
}
