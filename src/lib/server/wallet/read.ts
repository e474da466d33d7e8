import type { Balance, Balances } from '#lib/contract/types.ts'
import { emptyHolding, fundingTotal, type Holding, totalOf } from '#lib/domain/ledger/holdings.ts'
import { type Currency, TOKENS } from '#lib/domain/money/currencies.ts'
import { holdingsOf, preparedHoldings } from '../ledger/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'

function present({ code, name, subName }: Currency, holding: Holding): Balance {
  return {
    currency: code,
    name,
    subName,
    iconImage: `/token-icon/${code}.svg`,
    type: 'crypto',
    mainBalance: holding.spot.toString(),
    totalBalance: totalOf(holding).toString(),
    rewardBalance: holding.reward.toString(),
    stakedBalance: holding.staked.toString(),
    lockedBalance: holding.locked.toString(),
    outgoingBalance: holding.outgoing.toString(),
    accountId: null,
    accountRs: null,
    publicKey: null,
    address: null,
    p2wpkh_address: null,
    wallet: {
      spotBalance: holding.spot.toString(),
      fundingBalance: { total: fundingTotal(holding).toString(), frozen_balance: holding.frozen.toString() }
    }
  }
}

/** Every token of the catalogue, whether held or not. */
export async function readBalances(context: Context, customer: Customer): Promise<Balances> {
  const holdings = await preparedHoldings(context.db, customer.userId)
  return Object.fromEntries(TOKENS.map((token) => [token.code, present(token, holdings.get(token.code) ?? emptyHolding())]))
}

export async function readBalance(db: Executor, userId: string, token: Currency): Promise<Balance> {
  const holdings = await holdingsOf(db, userId)
  return present(token, holdings.get(token.code) ?? emptyHolding())
}
