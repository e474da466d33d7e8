/** Cold storage of Ethereum: one address, and refills as unsigned transactions (EIP-1559, EIP-2718) for an offline wallet. */
import { createHash } from 'node:crypto'
import {
  decodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  keccak256,
  parseTransaction,
  recoverMessageAddress,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerialized
} from 'viem'
import type { ChainToken } from '#lib/domain/chains/chains.ts'
import { RefillError, type RefillFormat } from '../../cold/format.ts'
import type { ColdWallet } from '../../cold/wallet.ts'
import { unsignedOf } from './call.ts'

/** Half of the order of secp256k1. Source: SEC 2. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

export function ethereumColdWallet(text: string, chainId: number): ColdWallet {
  const address = getAddress(text.toLowerCase())
  return {
    chain: 'ethereum',
    id: createHash('sha256').update(`ethereum ${chainId} ${address}`).digest('hex'),
    addressAt: () => ({ address, accountId: null, publicKey: null }),
    // Source: EIP-191, `personal_sign`.
    isSigned: async (message, signature) =>
      recoverMessageAddress({ message, signature: signature.trim() as Hex }).then(
        (signer) => signer === address,
        () => false
      )
  }
}

/** `contracts`: the contract address of each known token, by code. */
export function ethereumRefills(chainId: number, contracts: Record<string, string>): RefillFormat {
  const codes = new Map(Object.entries(contracts).map(([code, contract]) => [getAddress(contract), code]))

  function paymentOf(to: Hex | null | undefined, value: bigint, data: Hex | undefined) {
    if (!to) throw new RefillError('The transaction makes a contract: it is no refill')
    if (data === undefined || data === '0x') return { address: getAddress(to), token: 'ETH' as const, amount: value }
    const token = codes.get(getAddress(to))
    const call = decodeFunctionData({ abi: erc20Abi, data })
    if (!token || call.functionName !== 'transfer' || value !== 0n)
      throw new RefillError('The transaction calls a contract: it is no refill')
    return { address: getAddress(call.args[0]), token: token as ChainToken, amount: call.args[1] }
  }

  return {
    extension: 'tx',
    write: async (plan) => Buffer.from(serializeTransaction(unsignedOf(plan, chainId, contracts))),
    isSigned: () => true,
    read: async (file) => {
      const typed = Buffer.from(file).toString('utf8').trim()
      const bytes = (typed.startsWith('0x') ? typed : `0x${typed}`) as TransactionSerialized
      try {
        const read = parseTransaction(bytes)
        if (read.type !== 'eip1559' || read.r === undefined) throw new RefillError('The transaction is not signed')
        // Nodes take the lower of the two forms of a signature alone. Source: EIP-2.
        if (BigInt(read.s ?? 0) > HALF_ORDER) throw new RefillError('The transaction is not signed in the form that nodes take')
        if (read.chainId !== chainId) throw new RefillError(`The transaction is for network ${read.chainId}, not for ${chainId}`)
        return {
          chain: 'ethereum',
          transactionId: keccak256(bytes),
          bytes,
          spends: [],
          from: await recoverTransactionAddress({ serializedTransaction: bytes }),
          nonce: BigInt(read.nonce ?? 0),
          fee: (read.gas ?? 0n) * (read.maxFeePerGas ?? 0n),
          expiresAt: undefined,
          payments: [paymentOf(read.to, read.value ?? 0n, read.data)]
        }
      } catch (error) {
        if (error instanceof RefillError) throw error
        throw new RefillError('The file is no Ethereum transaction')
      }
    }
  }
}
