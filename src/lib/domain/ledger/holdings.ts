/** The accounts of the ledger, and the sums of a customer's accounts. Source: spec section 3; ADR 0003. */

export const CUSTOMER_KINDS = ['spot', 'funding', 'frozen', 'outgoing', 'staked', 'locked', 'reward'] as const
export type CustomerKind = (typeof CUSTOMER_KINDS)[number]
/**
 * Our own accounts. `suspense` holds money that arrived and is not matched to an order yet; `refunds` holds money that we owe back to
 * its payer until the bank shows the transfer. `chain` and `cold` are where our coins lie: at addresses whose keys the signer has, and in
 * cold storage; their balances are below zero by what lies there. `owed` is below zero by the tokens that we sold or gave away without having
 * the coins yet.
 */
export const HOUSE_KINDS = [
  'bank',
  'treasury',
  'fees',
  'chain',
  'cold',
  'owed',
  'rewards',
  'staking_rewards',
  'suspense',
  'refunds',
  'losses'
] as const
export type HouseKind = (typeof HOUSE_KINDS)[number]

/** One token's accounts, in smallest units. */
export type Holding = Record<CustomerKind, bigint>

export function emptyHolding(): Holding {
  return { spot: 0n, funding: 0n, frozen: 0n, outgoing: 0n, staked: 0n, locked: 0n, reward: 0n }
}

/** Everything the customer has of the token: the same figure on every page. */
export function totalOf(holding: Holding): bigint {
  return CUSTOMER_KINDS.reduce((sum, kind) => sum + holding[kind], 0n)
}

/** Funding as the API shows it: includes the amount frozen for orders. */
export function fundingTotal(holding: Holding): bigint {
  return holding.funding + holding.frozen
}

/** available = spot + funding total − frozen. */
export function available(holding: Holding): bigint {
  return holding.spot + fundingTotal(holding) - holding.frozen
}

export type Parts = { spot: bigint; funding: bigint; missing: bigint }

/** Splits an amount over spot first, then funding; `missing` is the part that neither covers. */
export function spotFirst(amount: bigint, has: Pick<Holding, 'spot' | 'funding'>): Parts {
  const spot = amount < has.spot ? amount : has.spot
  const rest = amount - spot
  const funding = rest < has.funding ? rest : has.funding
  return { spot, funding, missing: rest - funding }
}
