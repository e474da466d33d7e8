import type { Balance, Balances } from '#lib/contract/types.ts'
import { emptyHolding, fundingTotal, type Holding, walletTotal } from '#lib/domain/ledger/holdings.ts'
import { TOKENS, type Token } from '#lib/domain/money/tokens.ts'
import { holdingsOf } from '../ledger/holdings.ts'
import type { Context, Customer } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'

function present({ code, name, subName }: Token, holding: Holding): Balance {
  return {
    currency: code,
    name,
    subName,
    type: 'crypto',
    mainBalance: holding.spot.toString(),
    totalBalance: walletTotal(holding).toString(),
    rewardBalance: holding.reward.toString(),
    stakedBalance: holding.staked.toString(),
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

async function readAll(db: Executor, userId: string): Promise<Balances> {
  const holdings = await holdingsOf(db, userId)
  return Object.fromEntries(TOKENS.map((token) => [token.code, present(token, holdings.get(token.code) ?? emptyHolding())]))
}

/** Every token of the catalogue, whether held or not. */
export function readBalances(context: Context, customer: Customer): Promise<Balances> {
  return readAll(context.db, customer.userId)
}

export async function readBalance(db: Executor, userId: string, token: Token): Promise<Balance> {
  const holdings = await holdingsOf(db, userId)
  return present(token, holdings.get(token.code) ?? emptyHolding())
}
