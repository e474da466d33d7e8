/** Types and functions that the parts of the P2P page share. */
import type { Answer, Balances } from '#lib/contract/types.ts'

export type Rules = Answer<'getP2pRules'>

/** A token's smallest units: usable in funding (without the frozen part) and in spot, and frozen. */
export function fundsOf(balances: Balances, currency: string): { funding: bigint; spot: bigint; frozen: bigint } {
  const { spotBalance, fundingBalance } = balances[currency]?.wallet ?? {
    spotBalance: '0',
    fundingBalance: { total: '0', frozen_balance: '0' }
  }
  const frozen = BigInt(fundingBalance.frozen_balance)
  return { spot: BigInt(spotBalance), funding: BigInt(fundingBalance.total) - frozen, frozen }
}

export function sellRules({ feeBasisPoints, smallestAmount, reference }: Rules) {
  return { feeBasisPoints, smallestAmount: BigInt(smallestAmount), reference: reference ?? undefined }
}
