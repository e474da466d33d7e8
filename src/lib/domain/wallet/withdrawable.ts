import { type ChainToken, WITHDRAWABLE } from '../chains/chains.ts'

type Held = { wallet: { spotBalance: string; fundingBalance: { total: string } } }

/** The token that "Withdraw" leads to: the first that there is something of. */
export function withdrawableToken(balances: Record<string, Held>): ChainToken {
  const has = (code: ChainToken) => {
    const wallet = balances[code]?.wallet
    return wallet !== undefined && (BigInt(wallet.spotBalance) > 0n || BigInt(wallet.fundingBalance.total) > 0n)
  }
  return WITHDRAWABLE.find(has) ?? 'CPC'
}
