/**
 * A node of the CPC chain: the documented HTTP API of NXT over a chain in memory. It refuses a transaction whose signature, sender,
 * balance or deadline is wrong. Sources: https://nxtdocs.jelurida.com/API, NXT `TransactionImpl.getBytes`.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Crypto, generateSignature, generateSignKeys, verifySignature } from '@signumjs/crypto'
import { NodeJSCryptoAdapter } from '@signumjs/crypto/adapters'
import { accountOfKey } from '#lib/domain/chains/address.ts'
import { readAccount, writeAccount } from '#lib/domain/chains/reedSolomon.ts'

Crypto.init(new NodeJSCryptoAdapter())

const PREFIX = 'CPC'
const BYTES = 176
const SIGNATURE = { from: 96, to: 160 }
const FEE = 100_000_000n
const RICH = 'the account that has all the coins at the beginning'

type Payment = {
  transaction: string
  fullHash: string
  type: number
  subtype: number
  senderRS: string
  recipientRS: string
  amountNQT: string
  feeNQT: string
  deadline: number
  phased?: boolean
}
type Block = {
  block: string
  height: number
  timestamp: number
  previousBlock?: string
  transactions: Payment[]
  executedPhasedTransactions: Payment[]
}
type Query = Record<string, string>

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const inWords = (id: bigint) => `${PREFIX}-${writeAccount(id)}`
const blockId = () => randomBytes(8).readBigUInt64LE().toString()

/** The chain's timestamp of now, in seconds; this chain counts from 1970. */
const nowSeconds = () => Math.floor(Date.now() / 1000) % 2 ** 31

const UNKNOWN_TRANSACTION = 5
class Refusal extends Error {
  readonly errorCode: number
  constructor(message: string, errorCode = 4) {
    super(message)
    this.errorCode = errorCode
  }
}

function unsignedBytes({ publicKey, recipient, amountNQT, feeNQT = String(FEE), deadline = '1440' }: Query): Buffer {
  const bytes = Buffer.alloc(BYTES)
  const account = readAccount((recipient ?? '').replace(`${PREFIX}-`, ''))
  if (typeof account !== 'bigint') throw new Refusal('Incorrect "recipient"')
  bytes.writeUInt8(0, 0)
  bytes.writeUInt8(0x10, 1)
  bytes.writeUInt32LE(nowSeconds(), 2)
  bytes.writeUInt16LE(Number(deadline), 6)
  Buffer.from(publicKey ?? '', 'hex').copy(bytes, 8)
  bytes.writeBigUInt64LE(account, 40)
  bytes.writeBigUInt64LE(BigInt(amountNQT ?? 0), 48)
  bytes.writeBigUInt64LE(BigInt(feeNQT), 56)
  return bytes
}

/** Reads signed bytes as a payment; throws a Refusal for a wrong signature. */
function readSigned(bytes: Buffer): Payment & { sender: bigint; recipient: bigint } {
  if (bytes.length !== BYTES) throw new Refusal('Incorrect "transactionBytes"')
  const signature = bytes.subarray(SIGNATURE.from, SIGNATURE.to)
  const unsigned = Buffer.from(bytes)
  unsigned.fill(0, SIGNATURE.from, SIGNATURE.to)
  const publicKey = bytes.subarray(8, 40).toString('hex')
  if (!verifySignature(signature.toString('hex'), unsigned.toString('hex'), publicKey))
    throw new Refusal('Transaction signature verification failed')
  const fullHash = sha256(unsigned, sha256(signature))
  const sender = accountOfKey(publicKey) ?? 0n
  const recipient = bytes.readBigUInt64LE(40)
  return {
    sender,
    recipient,
    transaction: fullHash.readBigUInt64LE().toString(),
    fullHash: fullHash.toString('hex'),
    type: bytes.readUInt8(0),
    subtype: bytes.readUInt8(1) & 0x0f,
    senderRS: inWords(sender),
    recipientRS: inWords(recipient),
    amountNQT: bytes.readBigUInt64LE(48).toString(),
    feeNQT: bytes.readBigUInt64LE(56).toString(),
    deadline: bytes.readUInt16LE(6)
  }
}

/** Signs the bytes that a node prepared. */
export function signCpc(unsignedTransactionBytes: string, passphrase: string): string {
  const { signPrivateKey } = generateSignKeys(passphrase)
  const signature = generateSignature(unsignedTransactionBytes, signPrivateKey)
  return unsignedTransactionBytes.slice(0, SIGNATURE.from * 2) + signature + unsignedTransactionBytes.slice(SIGNATURE.to * 2)
}

export async function startCpc() {
  let blocks: Block[] = [
    { block: blockId(), height: 0, timestamp: nowSeconds(), transactions: [], executedPhasedTransactions: [] }
  ]
  let approved: Payment[] = []
  let waiting: Payment[] = []
  const richKey = generateSignKeys(RICH).publicKey
  const rich = inWords(accountOfKey(richKey) ?? 0n)

  /** The balance after the block of `height`; without `height`, with all blocks and the waiting transactions. */
  function balanceOf(account: string, height?: number): bigint {
    const read = blocks.filter((one) => height === undefined || one.height <= height)
    const all = [...read.flatMap(({ transactions }) => transactions), ...(height === undefined ? waiting : [])].filter(
      ({ phased }) => !phased
    )
    return all.reduce(
      (sum, { senderRS, recipientRS, amountNQT, feeNQT }) => {
        const out = senderRS === account ? BigInt(amountNQT) + BigInt(feeNQT) : 0n
        return sum - out + (recipientRS === account ? BigInt(amountNQT) : 0n)
      },
      account === rich ? 10n ** 17n : 0n
    )
  }

  function take(bytes: Buffer): Payment {
    const { sender: _, recipient: __, ...payment } = readSigned(bytes)
    const isKnown = [...blocks.flatMap(({ transactions }) => transactions), ...waiting].some(
      ({ transaction }) => transaction === payment.transaction
    )
    if (isKnown) return payment
    if (balanceOf(payment.senderRS) < BigInt(payment.amountNQT) + BigInt(payment.feeNQT)) throw new Refusal('Not enough funds')
    waiting.push(payment)
    return payment
  }

  function mine(count = 1): void {
    for (let made = 0; made < count; made += 1) {
      const last = blocks.at(-1)
      blocks.push({
        block: blockId(),
        height: blocks.length,
        timestamp: nowSeconds(),
        ...(last && { previousBlock: last.block }),
        transactions: made === 0 ? waiting : [],
        executedPhasedTransactions: made === 0 ? approved : []
      })
      if (made === 0) [waiting, approved] = [[], []]
    }
  }

  const blockAt = (query: Query) => {
    const found = blocks[Number(query.height)]
    if (!found) throw new Refusal('Unknown block')
    return found
  }
  const answers: Record<string, (query: Query) => object> = {
    getBlockchainStatus: () => ({ lastBlock: blocks.at(-1)?.block, numberOfBlocks: blocks.length, isScanning: false }),
    getTransaction: ({ transaction }) => {
      const found = [...waiting, ...blocks.flatMap((one) => one.transactions)].find((one) => one.transaction === transaction)
      if (!found) throw new Refusal('Unknown transaction', UNKNOWN_TRANSACTION)
      return found
    },
    getConstants: () => ({ epochBeginning: 0 }),
    getBlockId: (query) => ({ block: blockAt(query).block }),
    getBlock: (query) => {
      const { transactions, executedPhasedTransactions, ...rest } = blockAt(query)
      const named = query.includeTransactions === 'true' ? transactions : transactions.map(({ transaction }) => transaction)
      return { ...rest, transactions: named, ...(query.includeExecutedPhased === 'true' && { executedPhasedTransactions }) }
    },
    getBalance: ({ account = '', height }) => ({
      balanceNQT: String(balanceOf(account, height === undefined ? undefined : Number(height)))
    }),
    getUnconfirmedTransactions: ({ account }) => ({
      unconfirmedTransactions: waiting.filter(({ senderRS, recipientRS }) => [senderRS, recipientRS].includes(account ?? ''))
    }),
    sendMoney: (query) => {
      if (query.broadcast !== 'false') throw new Refusal('This node signs nothing')
      return { unsignedTransactionBytes: unsignedBytes(query).toString('hex'), broadcasted: false }
    },
    broadcastTransaction: ({ transactionBytes = '' }) => {
      const { transaction, fullHash } = take(Buffer.from(transactionBytes, 'hex'))
      return { transaction, fullHash }
    }
  }

  const server = createServer(async (request, response) => {
    const query = await readQuery(request)
    response.setHeader('content-type', 'application/json')
    try {
      const answer = answers[query.requestType ?? '']
      if (!answer) throw new Refusal('Incorrect request')
      response.end(JSON.stringify(answer(query)))
    } catch (error) {
      const errorDescription = error instanceof Refusal ? error.message : 'Internal error'
      const errorCode = error instanceof Refusal ? error.errorCode : 4
      response.end(JSON.stringify({ errorCode, errorDescription }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/nxt`

  async function ask(requestType: string, query: Query): Promise<Record<string, string>> {
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ requestType, ...query }) })
    return (await response.json()) as Record<string, string>
  }

  return {
    url,
    mine,
    ask,
    richKey,
    balanceOf,
    /** A payment from the rich account, made like a wallet makes it; returns the transaction's id. */
    pay: async (recipient: string, amountNQT: bigint): Promise<string> => {
      const body = { publicKey: richKey, recipient, amountNQT: String(amountNQT), broadcast: 'false' }
      const { unsignedTransactionBytes = '' } = await ask('sendMoney', body)
      const { transaction, errorDescription } = await ask('broadcastTransaction', {
        transactionBytes: signCpc(unsignedTransactionBytes, RICH)
      })
      if (!transaction) throw new Error(errorDescription)
      return transaction
    },
    /** A phased payment: included in a block, but moves no coins until its votes are there. */
    phase: (recipientRS: string, amountNQT: bigint) => {
      const id = blockId()
      const facts = { type: 0, subtype: 0, senderRS: rich, recipientRS, amountNQT: String(amountNQT), feeNQT: '0', deadline: 60 }
      const payment = { transaction: id, fullHash: id, ...facts, phased: true }
      waiting.push(payment)
      /** Approves it: the next block executes the payment. */
      return () => approved.push(payment)
    },
    /** Replaces the newest `depth` blocks by `depth + 1` new ones; the removed transactions are in the first of these. */
    reorganise: (depth: number) => {
      const removed = blocks.slice(-depth)
      blocks = blocks.slice(0, -depth)
      waiting = removed.flatMap(({ transactions }) => transactions)
      mine(depth + 1)
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

async function readQuery(request: IncomingMessage): Promise<Query> {
  let body = ''
  for await (const chunk of request) body += chunk
  const { searchParams } = new URL(request.url ?? '/', 'http://node')
  return { ...Object.fromEntries(searchParams), ...Object.fromEntries(new URLSearchParams(body)) }
}
