/** Coin selection for a Bitcoin transaction, and its fee. Amounts in satoshi, sizes in virtual bytes. */

/**
 * `frame`: a transaction without inputs and outputs. `input`, `change`: ours, both P2WPKH. `olderInput`: P2PKH. `output`: the largest kind of
 * output.
 */
const SIZE = { frame: 11n, input: 68n, olderInput: 148n, change: 31n, output: 43n }
/** The network does not relay a smaller output. */
const DUST = 546n

/** `isOlderForm`: paid to the hash of a key (P2PKH), so that more bytes spend it. */
type Spendable = { isOlderForm?: boolean | undefined }

/** The size of a transaction of one output to us, without change. */
export function joinedSize(coins: Spendable[]): bigint {
  return coins.reduce((sum, { isOlderForm }) => sum + (isOlderForm ? SIZE.olderInput : SIZE.input), SIZE.frame + SIZE.output)
}

/** The size of an ordinary payment: one coin pays, and change comes back. */
export const PLAIN_SIZE = SIZE.frame + SIZE.input + SIZE.change + SIZE.output

export type Selection<C> = { coins: C[]; fee: bigint; change: bigint }

/**
 * Selects coins for an amount at a price per virtual byte, the largest first, to need few inputs. All `required` coins are used: a
 * replacement must spend coins of the transaction that it replaces. Change below the dust limit goes to the fee. Undefined if the
 * coins are not enough.
 */
export function selectCoins<C extends Spendable & { amount: bigint }>(
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

function balance<C extends Spendable & { amount: bigint }>(coins: C[], amount: bigint, price: bigint): Selection<C> | undefined {
  const has = coins.reduce((sum, coin) => sum + coin.amount, 0n)
  const bare = joinedSize(coins)
  const withChange = (bare + SIZE.change) * price
  const change = has - amount - withChange
  if (change >= DUST) return { coins, fee: withChange, change }
  return has - amount >= bare * price ? { coins, fee: has - amount, change: 0n } : undefined
}
