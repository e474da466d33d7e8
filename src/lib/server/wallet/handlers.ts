import type { walletCalls } from '#lib/contract/wallet.ts'
import { readStatement } from '../ledger/index.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import type { RatesSource } from '../rates/index.ts'
import { type PurchasesOf, readCost } from './cost.ts'
import { moveBetweenAccounts, type RestingOf } from './move.ts'
import { readBalances } from './read.ts'
import { listSupportedTokens } from './tokens.ts'
import { readValueLine } from './valueLine.ts'

type Dependencies = {
  rates: RatesSource
  /** The signer's public key, which verifies the signatures of our addresses. */
  proof: string
  /** What of the rewards may not be moved yet. */
  restingOf: RestingOf
  purchasesOf: PurchasesOf
}

export function walletHandlers(
  context: Context,
  { rates, proof, restingOf, purchasesOf }: Dependencies
): Handlers<keyof typeof walletCalls> {
  return {
    getBalance: ({ customer }) => readBalances(context, proof, customer),
    moveSpotToFunding: ({ customer, body, idempotencyKey }) =>
      moveBetweenAccounts(context, customer, { ...body, from: 'spot', idempotencyKey, proof, restingOf }),
    moveFundingToSpot: ({ customer, body, idempotencyKey }) =>
      moveBetweenAccounts(context, customer, { ...body, from: 'funding', idempotencyKey, proof, restingOf }),
    moveRewardToSpot: ({ customer, body, idempotencyKey }) =>
      moveBetweenAccounts(context, customer, { ...body, from: 'reward', idempotencyKey, proof, restingOf }),
    getStatement: ({ customer, query }) => readStatement(context, customer, query),
    getValueLine: ({ customer, query }) => readValueLine(context, rates, customer, query),
    getCost: ({ customer, query }) => readCost(context, { rates, purchasesOf }, customer, query.in),
    getSupportedTokens: () => listSupportedTokens(context, rates)
  }
}
