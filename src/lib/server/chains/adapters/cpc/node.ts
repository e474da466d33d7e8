/** CPC, a chain of the NXT family, through its HTTP API. Source: https://nxtdocs.jelurida.com/API */
import { z } from 'zod'
import { type ChainNode, NodeError } from '../../port.ts'
import { CPC_FEE } from '../../sending/fees.ts'
import { requestJson } from '../request.ts'

const id = z.string().regex(/^\d{1,20}$/)
const amount = z.string().regex(/^\d{1,19}$/)
const status = z.object({ lastBlock: id, numberOfBlocks: z.number().int().positive(), isScanning: z.boolean() })
const payment = z.object({
  transaction: id,
  type: z.number().int(),
  subtype: z.number().int(),
  senderRS: z.string(),
  recipientRS: z.string().optional(),
  amountNQT: amount,
  feeNQT: amount,
  /** A payment that waits for votes or a date: it moves nothing yet. */
  phased: z.boolean().optional()
})
const block = z.object({
  block: id,
  height: z.number().int().nonnegative(),
  previousBlock: id.optional(),
  /** Seconds since the chain's beginning. */
  timestamp: z.number().int().nonnegative(),
  transactions: z.array(payment),
  /** Phased payments of earlier blocks that this block executes. */
  executedPhasedTransactions: z.array(payment).optional()
})
const refused = z.object({ errorCode: z.number().int(), errorDescription: z.string() })
/** In milliseconds since 1970: when the chain's own time begins. */
const constants = z.object({ epochBeginning: z.number().int().optional() })
const UNKNOWN_TRANSACTION = 5
const ORDINARY_PAYMENT = { type: 0, subtype: 0 }

/** `url`: the address of the API, e.g. `http://127.0.0.1:7876/nxt`. `genesis`: the id of the chain's first block. */
export function cpcNode(url: string, genesis?: string): ChainNode {
  let isRightNetwork = genesis === undefined
  async function request(requestType: string, params: Record<string, string>, method: 'GET' | 'POST' = 'GET'): Promise<unknown> {
    const target = new URL(url)
    const asked = new URLSearchParams({ requestType, ...params })
    if (method === 'GET') target.search = asked.toString()
    return requestJson(target, method === 'GET' ? {} : { method, body: asked })
  }
  function read<T>(requestType: string, answered: unknown, shape: z.ZodType<T>): T {
    const error = refused.safeParse(answered)
    if (error.success) throw new NodeError(`${requestType}: ${error.data.errorDescription}`)
    const result = shape.safeParse(answered)
    if (!result.success) throw new NodeError(`${requestType}: the node answered something else`)
    return result.data
  }
  async function ask<T>(type: string, params: Record<string, string>, shape: z.ZodType<T>, method?: 'POST'): Promise<T> {
    return read(type, await request(type, params, method), shape)
  }
  const idAt = async (height: number) => (await ask('getBlockId', { height: String(height) }, z.object({ block: id }))).block
  const readBlock = (height: number) =>
    ask('getBlock', { height: String(height), includeTransactions: 'true', includeExecutedPhased: 'true' }, block)

  return {
    chain: 'cpc',
    price: async () => ({ most: CPC_FEE, tip: 0n }),
    sizeOf: async () => 1n,
    holds: async (place, height) => {
      if ('outpoint' in place) return 0n
      const at: Record<string, string> = height === undefined ? {} : { height: String(height) }
      const { balanceNQT } = await ask('getBalance', { account: place.address, ...at }, z.object({ balanceNQT: amount }))
      return BigInt(balanceNQT)
    },
    findUnknown: async ({ address, onTheWay }) => {
      const waiting = z.object({ unconfirmedTransactions: z.array(z.object({ transaction: id, senderRS: z.string() })) })
      const { unconfirmedTransactions } = await ask('getUnconfirmedTransactions', { account: address }, waiting)
      const unknown = unconfirmedTransactions.find(
        ({ transaction, senderRS }) => senderRS === address && !onTheWay.includes(transaction)
      )
      return unknown && `The node has a payment of ${address} that is none of ours: ${unknown.transaction}.`
    },
    prepare: async ({ payout, senderPublicKey, fee, deadlineMinutes }) => {
      const { to: recipient, amount: amountNQT } = payout
      const asked = {
        recipient,
        amountNQT: String(amountNQT),
        feeNQT: String(fee),
        publicKey: senderPublicKey,
        deadline: String(deadlineMinutes),
        broadcast: 'false'
      }
      const prepared = z.object({ unsignedTransactionBytes: z.string().regex(/^([0-9a-f]{2})+$/i) })
      return (await ask('sendMoney', asked, prepared, 'POST')).unsignedTransactionBytes
    },
    knows: async (transaction) => {
      const answered = await request('getTransaction', { transaction })
      if (refused.safeParse(answered).data?.errorCode === UNKNOWN_TRANSACTION) return false
      read('getTransaction', answered, z.object({ transaction: z.literal(transaction) }))
      return true
    },
    broadcast: async (transactionBytes) => {
      await ask('broadcastTransaction', { transactionBytes }, z.object({ transaction: id }), 'POST')
    },
    tip: async () => {
      if (!isRightNetwork) {
        if ((await idAt(0)) !== genesis) throw new NodeError('The node is one of another CPC network')
        isRightNetwork = true
      }
      const { lastBlock, numberOfBlocks, isScanning } = await ask('getBlockchainStatus', {}, status)
      // While the node rescans its own database, its status does not show the newest block that it has.
      if (isScanning) throw new NodeError('The node is scanning its blocks')
      return { height: numberOfBlocks - 1, hash: lastBlock }
    },
    newestTime: async () => {
      const [{ epochBeginning }, { numberOfBlocks }] = await Promise.all([
        ask('getConstants', {}, constants),
        ask('getBlockchainStatus', {}, status)
      ])
      if (epochBeginning === undefined) return undefined
      const { timestamp } = await ask('getBlock', { height: String(numberOfBlocks - 1) }, block.pick({ timestamp: true }))
      return new Date(epochBeginning + timestamp * 1000)
    },
    hashAt: idAt,
    blockAt: async (height) => {
      const found = await readBlock(height)
      return {
        height: found.height,
        hash: found.block,
        parent: found.previousBlock ?? '',
        time: BigInt(found.timestamp),
        transactions: [...found.transactions.filter(({ phased }) => !phased), ...(found.executedPhasedTransactions ?? [])].map(
          (one) => ({
            id: one.transaction,
            senders: [one.senderRS],
            spends: [],
            fee: BigInt(one.feeNQT),
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
