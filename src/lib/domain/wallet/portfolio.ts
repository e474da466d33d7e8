/**
 * What a customer's holdings are worth. Amounts are smallest units as text, values US cents. A token's value is everything
 * the customer has of it times its price, rounded down once; the total adds these values.
 */
import { CUSTOMER_KINDS, type CustomerKind } from '../ledger/holdings.ts'
import { valueInCents } from '../rates/prices.ts'

export type PortfolioBalance = {
  currency: string
  name: string
  subName: string
  totalBalance: string
  stakedBalance: string
  lockedBalance: string
  rewardBalance: string
}

export type PortfolioLine = {
  currency: string
  name: string
  subName: string
  units: string
  /** The part of `units` that is staked. */
  stakedUnits: string
  /** US dollars for one token as decimal text; undefined where no price is known. */
  priceUsd: string | undefined
  valueCents: bigint
}

export type Portfolio = {
  lines: PortfolioLine[]
  rewards: PortfolioLine[]
  /** What is neither staked nor a reward. */
  freeCents: bigint
  stakedCents: bigint
  rewardCents: bigint
  /** Adds the values of the tokens; the parts above add up to it. */
  totalCents: bigint
}

export const PORTFOLIO_TOKENS = ['CPC', 'PTC', 'USDC', 'BTC']
const REWARD_TOKENS = ['CPC', 'PTC']

type Prices = Record<string, string>

function lineOf(balance: PortfolioBalance, units: string, prices: Prices): PortfolioLine {
  const { currency, name, subName, stakedBalance } = balance
  const priceUsd = prices[currency]
  const valueCents = priceUsd === undefined ? 0n : valueInCents(BigInt(units), currency, priceUsd)
  return { currency, name, subName, units, stakedUnits: stakedBalance, priceUsd, valueCents }
}

export function portfolioOf(balances: Record<string, PortfolioBalance>, prices: Prices): Portfolio {
  const all = Object.values(balances)
  const pick = (tokens: string[]) => tokens.flatMap((token) => balances[token] ?? [])
  const sum = (unitsOf: (balance: PortfolioBalance) => string) =>
    all.reduce((cents, balance) => cents + lineOf(balance, unitsOf(balance), prices).valueCents, 0n)
  const totalCents = sum((balance) => balance.totalBalance)
  const stakedCents = sum((balance) => (BigInt(balance.stakedBalance) + BigInt(balance.lockedBalance)).toString())
  const rewardCents = sum((balance) => balance.rewardBalance)
  return {
    lines: pick(PORTFOLIO_TOKENS).map((balance) => lineOf(balance, balance.totalBalance, prices)),
    rewards: pick(REWARD_TOKENS).map((balance) => lineOf(balance, balance.rewardBalance, prices)),
    freeCents: totalCents - stakedCents - rewardCents,
    stakedCents,
    rewardCents,
    totalCents
  }
}

type KindsBalance = {
  rewardBalance: string
  stakedBalance: string
  lockedBalance: string
  outgoingBalance: string
  wallet: { spotBalance: string; fundingBalance: { total: string; frozen_balance: string } }
}

/** A balance by kind of account, in smallest units; together they are its total. Funding is without what is frozen. */
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
