import { type ChainToken, WITHDRAWABLE } from '../chains/chains.ts'

type Held = { wallet: { spotBalance: string; fundingBalance: { total: string } } }

/** The token that "Withdraw" opens: the first with a balance in spot or funding, otherwise CPC. */
export function withdrawableToken(balances: Record<string, Held>): ChainToken {
  const has = (code: ChainToken) => {
    const wallet = balances[code]?.wallet
    return wallet !== undefined && (BigInt(wallet.spotBalance) > 0n || BigInt(wallet.fundingBalance.total) > 0n)
  }
  return WITHDRAWABLE.find(has) ?? 'CPC'
}
