/** A payout as a transaction: ether as its value, a token as a call of the token's contract. Source: EIP-20. */
import { type Address, encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import type { Payout } from '../../port.ts'
import type { Plan } from '../../sending/plan.ts'

type Call = { to: Address; value: bigint; data: Hex | undefined }

/** `contracts`: the contract address of each known token, by code. */
export function callOf({ to, token, amount }: Payout, contracts: Record<string, string>): Call {
  if (token === 'ETH') return { to: getAddress(to), value: amount, data: undefined }
  const contract = contracts[token]
  if (!contract) throw new Error(`There is no contract of ${token}`)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [getAddress(to), amount] })
  return { to: getAddress(contract), value: 0n, data }
}

/** The transaction (EIP-1559) of a plan, without its signature. */
export function unsignedOf(
  { payout, nonce, size, price }: Pick<Plan, 'payout' | 'nonce' | 'size' | 'price'>,
  chainId: number,
  contracts: Record<string, string>
) {
  const { to, value, data } = callOf(payout, contracts)
  return {
    type: 'eip1559' as const,
    chainId,
    nonce: Number(nonce),
    gas: size,
    maxFeePerGas: price.most,
    maxPriorityFeePerGas: price.tip,
    to,
    value,
    ...(data && { data })
  }
}
