/** Signs Ethereum transactions (EIP-1559) with the keys of the seed. */
import { HDKey } from '@scure/bip32'
import { keccak256 } from 'viem'
import { hdKeyToAccount } from 'viem/accounts'
import type { PlanSigner } from '../../sending/signing.ts'
import { ACCOUNT, seedPurposeOf } from '../makers.ts'
import { unsignedOf } from './call.ts'

export function ethereumSigner(seed: Uint8Array, chainId: number, contracts: Record<string, string>): PlanSigner {
  const root = HDKey.fromMasterSeed(seed)
  return async (plan) => {
    const { from, nonce } = plan
    if (!from || nonce === undefined) throw new Error('An Ethereum payment has an account and a nonce')
    const account = hdKeyToAccount(root as never, {
      accountIndex: ACCOUNT[seedPurposeOf(from.purpose)],
      addressIndex: from.position
    })
    if (account.address !== from.address) throw new Error(`The seed does not have the key of ${from.address}`)
    const bytes = await account.signTransaction(unsignedOf(plan, chainId, contracts))
    return { transactionId: keccak256(bytes), bytes }
  }
}
