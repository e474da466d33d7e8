import type { Balance, Balances } from '#lib/contract/types.ts'
import { type Chain, chainOf, isChainToken } from '#lib/domain/chains/chains.ts'
import { emptyHolding, fundingTotal, type Holding, totalOf } from '#lib/domain/ledger/holdings.ts'
import { type Currency, TOKENS } from '#lib/domain/money/currencies.ts'
import { type AddressRow, addressesOf } from '../chains/index.ts'
import { holdingsOf } from '../ledger/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'

type Addresses = Partial<Record<Chain, AddressRow>>

function present({ code, name, subName }: Currency, holding: Holding, addresses: Addresses): Balance {
  const address = isChainToken(code) ? addresses[chainOf(code)] : undefined
  const isCpc = address?.chain === 'cpc'
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
    accountId: address?.accountId ?? null,
    accountRs: isCpc ? address.address : null,
    publicKey: address?.publicKey ?? null,
    address: address?.chain === 'ethereum' ? address.address : null,
    p2wpkh_address: address?.chain === 'bitcoin' ? address.address : null,
    wallet: {
      spotBalance: holding.spot.toString(),
      fundingBalance: { total: fundingTotal(holding).toString(), frozen_balance: holding.frozen.toString() }
    }
  }
}

/** A balance whose figures are to be filled in. */
export function emptyBalance(token: Currency, addresses: Addresses): Balance {
  return present(token, emptyHolding(), addresses)
}

/** Every token of the catalogue, even if the customer has none, with the customer's addresses. `proof`: the signer's public key. */
export async function readBalances({ db }: Pick<Context, 'db'>, proof: string, { userId }: Customer): Promise<Balances> {
  const [holdings, addresses] = await Promise.all([holdingsOf(db, userId), addressesOf(db, proof, userId)])
  return Object.fromEntries(
    TOKENS.map((token) => [token.code, present(token, holdings.get(token.code) ?? emptyHolding(), addresses)])
  )
}

export async function readBalance(db: Executor, proof: string, userId: string, token: Currency): Promise<Balance> {
  const holdings = await holdingsOf(db, userId)
  return present(token, holdings.get(token.code) ?? emptyHolding(), await addressesOf(db, proof, userId))
}
