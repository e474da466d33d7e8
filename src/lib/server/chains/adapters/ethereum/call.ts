/** A payout as a transaction: ether as its value, a token as a call of the token's contract. Source: EIP-20. */
import { type Address, encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import type { Payout } from '../../port.ts'

type Call = { to: Address; value: bigint; data: Hex | undefined }

/** `contracts`: the contract address of each known token, by code. */
export function callOf({ to, token, amount }: Payout, contracts: Record<string, string>): Call {
  if (token === 'ETH') return { to: getAddress(to), value: amount, data: undefined }
  const contract = contracts[token]
  if (!contract) throw new Error(`There is no contract of ${token}`)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [getAddress(to), amount] })
  return { to: getAddress(contract), value: 0n, data }
}
