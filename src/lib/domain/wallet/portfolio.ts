/**
 * The value of a customer's holdings. Amounts are smallest units as text, values are US cents. A token's value is everything
 * the customer has of it times its price, rounded down once; the total is the sum of these values.
 */

import { CUSTOMER_KINDS, type CustomerKind } from '../ledger/holdings.ts'
import { currencyOf } from '../money/currencies.ts'
import { valueInCents } from '../rates/prices.ts'

export type PortfolioBalance = {
  totalBalance: string
  stakedBalance: string
  lockedBalance: string
  rewardBalance: string
  outgoingBalance: string
  wallet: { fundingBalance: { frozen_balance: string } }
}

export type PortfolioLine = {
  currency: string
  name: string
  subName: string
  units: string
  /** The parts of `units` that are staked, and locked until they are released. */
  stakedUnits: string
  lockedUnits: string
  /** US dollars for one token as decimal text; undefined if no price is known. */
  priceUsd: string | undefined
  valueCents: bigint
}

export type Portfolio = {
  lines: PortfolioLine[]
  /** Every token in the balances. */
  all: PortfolioLine[]
  /** Tokens held that are not in `lines`, so that the rows add up to the total. */
  others: PortfolioLine[]
  rewards: PortfolioLine[]
  /** The value of each part: what can be used (spot and funding), and what is bound. They add up to the total. */
  parts: Record<Part, bigint>
  /** The sum of the tokens' values. */
  totalCents: bigint
}

export const PORTFOLIO_TOKENS = ['CPC', 'PTC', 'USDC', 'BTC']
const REWARD_TOKENS = ['CPC', 'PTC']

/** The parts of a balance: spot and funding together, and each kind that is bound. */
export const PARTS = ['available', 'frozen', 'outgoing', 'staked', 'locked', 'reward'] as const
export type Part = (typeof PARTS)[number]
type Prices = Record<string, string>

function inEachPart(centsFor: (part: Part) => bigint): Record<Part, bigint> {
  return Object.fromEntries(PARTS.map((part) => [part, centsFor(part)])) as Record<Part, bigint>
}

const sumOf = (parts: Record<Part, bigint>) => Object.values(parts).reduce((sum, cents) => sum + cents, 0n)

/** The value of an amount. Zero is not calculated: a customer has few of the catalogue's tokens. */
function worthOf(units: bigint, currency: string, prices: Prices): bigint {
  const priceUsd = prices[currency]
  return units === 0n || priceUsd === undefined ? 0n : valueInCents(units, currency, priceUsd)
}

function lineOf(currency: string, balance: PortfolioBalance, units: string, prices: Prices): PortfolioLine {
  const { name, subName } = currencyOf(currency)
  const { stakedBalance: stakedUnits, lockedBalance: lockedUnits } = balance
  const valueCents = worthOf(BigInt(units), currency, prices)
  return { currency, name, subName, units, stakedUnits, lockedUnits, priceUsd: prices[currency], valueCents }
}

/**
 * A token's value by part. Each is rounded down; the cents lost by that go to the first part that is not empty, so that the
 * parts add up to the value and an empty part stays at zero.
 */
function partsOf(currency: string, balance: PortfolioBalance, prices: Prices): Record<Part, bigint> {
  const bound = {
    frozen: BigInt(balance.wallet.fundingBalance.frozen_balance),
    outgoing: BigInt(balance.outgoingBalance),
    staked: BigInt(balance.stakedBalance),
    locked: BigInt(balance.lockedBalance),
    reward: BigInt(balance.rewardBalance)
  }
  const total = BigInt(balance.totalBalance)
  const units = { ...bound, available: Object.values(bound).reduce((rest, part) => rest - part, total) }
  const parts = inEachPart((part) => worthOf(units[part], currency, prices))
  const missing = worthOf(total, currency, prices) - sumOf(parts)
  const holder = PARTS.find((part) => units[part] > 0n) ?? 'available'
  return { ...parts, [holder]: parts[holder] + missing }
}

/** `balances` by token code. Throws a RangeError for an unknown code. */
export function portfolioOf(balances: Record<string, PortfolioBalance>, prices: Prices): Portfolio {
  const all = Object.entries(balances)
  const parts = all.map(([code, balance]) => partsOf(code, balance, prices))
  const sums = inEachPart((part) => parts.reduce((cents, one) => cents + one[part], 0n))
  const lines = all.map(([code, balance]) => lineOf(code, balance, balance.totalBalance, prices))
  return {
    lines: PORTFOLIO_TOKENS.flatMap((token) => lines.filter(({ currency }) => currency === token)),
    all: lines,
    others: lines.filter(({ currency, units }) => units !== '0' && !PORTFOLIO_TOKENS.includes(currency)),
    rewards: REWARD_TOKENS.flatMap((token) => {
      const balance = balances[token]
      return balance ? [lineOf(token, balance, balance.rewardBalance, prices)] : []
    }),
    parts: sums,
    totalCents: sumOf(sums)
  }
}

type KindsBalance = {
  rewardBalance: string
  stakedBalance: string
  lockedBalance: string
  outgoingBalance: string
  wallet: { spotBalance: string; fundingBalance: { total: string; frozen_balance: string } }
}

/** What the customer can move between their own accounts: spot, funding without the frozen part, rewards. */
export function movableUnits({ rewardBalance, wallet }: Pick<KindsBalance, 'rewardBalance' | 'wallet'>): bigint {
  const { total, frozen_balance } = wallet.fundingBalance
  return BigInt(wallet.spotBalance) + BigInt(total) - BigInt(frozen_balance) + BigInt(rewardBalance)
}

/** A balance by kind of account, in smallest units; the parts add up to its total. Funding excludes the frozen part. */
export function kindsOf(balance: KindsBalance): { kind: CustomerKind; units: bigint }[] {
  const { spotBalance, fundingBalance } = balance.wallet
  const frozen = BigInt(fundingBalance.frozen_balance)
  const units: Record<CustomerKind, bigint> = {
    spot: BigInt(spotBalance),
    funding: BigInt(fundingBalance.total) - frozen,
    frozen,
    outgoing: BigInt(balance.outgoingBalance),
    staked: BigInt(balance.stakedBalance),
    locked: BigInt(balance.lockedBalance),
    reward: BigInt(balance.rewardBalance)
  }
  return CUSTOMER_KINDS.map((kind) => ({ kind, units: units[kind] }))
}
