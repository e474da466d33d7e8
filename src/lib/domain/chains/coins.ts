/** Which coins pay a Bitcoin transaction, and what it costs. Amounts in satoshi, sizes in virtual bytes. */

/** A transaction without inputs and outputs, an input and our change output (both P2WPKH), and the largest kind of output. */
const SIZE = { frame: 11n, input: 68n, change: 31n, output: 43n }
/** A smaller output is not carried by the network. */
const DUST = 546n

export type Selection<C> = { coins: C[]; fee: bigint; change: bigint }

/**
 * Coins for an amount at a price per virtual byte, the largest first, so that there are few inputs. `required` are in it whatever
 * they are worth: a replacement shares the coins of what it replaces. What would be dust as change is left to the fee. Undefined
 * where the coins do not suffice.
 */
export function selectCoins<C extends { amount: bigint }>(
  amount: bigint,
  price: bigint,
  { required, others }: { required: C[]; others: C[] }
): Selection<C> | undefined {
  const coins = [...required]
  const rest = others.toSorted((one, other) => (other.amount > one.amount ? 1 : other.amount < one.amount ? -1 : 0))
  for (;;) {
    const made = coins.length > 0 ? balance(coins, amount, price) : undefined
    if (made) return made
    const next = rest.shift()
    if (!next) return undefined
    coins.push(next)
  }
}

function balance<C extends { amount: bigint }>(coins: C[], amount: bigint, price: bigint): Selection<C> | undefined {
  const has = coins.reduce((sum, coin) => sum + coin.amount, 0n)
  const bare = SIZE.frame + SIZE.output + SIZE.input * BigInt(coins.length)
  const withChange = (bare + SIZE.change) * price
  const change = has - amount - withChange
  if (change >= DUST) return { coins, fee: withChange, change }
  return has - amount >= bare * price ? { coins, fee: has - amount, change: 0n } : undefined
}
