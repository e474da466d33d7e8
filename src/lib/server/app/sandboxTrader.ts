/** The other side of P2P on the page `/sandbox`: a customer who sells to you and buys from you, through the product's own calls. */
import { randomUUID } from 'node:crypto'
import type { CallName } from '#lib/contract/calls.ts'
import { isCallFailed } from '#lib/contract/errors.ts'
import type { Answer } from '#lib/contract/types.ts'
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { sandboxCustomer } from '../access/index.ts'
import type { SandboxIdentity } from '../identity/adapters/sandbox.ts'
import { isVerifiedCustomer, receiveIdentityEvent } from '../identity/index.ts'
import { customerAccount, house, lockedHolding, post, withStock } from '../ledger/index.ts'
import { openOrdersOf } from '../p2p/index.ts'
import { type Customer, systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { transact } from '../platform/transaction.ts'

const EMAIL = 'trader@sandbox.example'
const NAME = { firstName: 'Sandbox', lastName: 'Trader' }
/** The trader's funds in smallest units, given again when less than a tenth of them is left. */
const FUNDS = { [P2P_ASSET]: 1_000_000n * 10n ** 8n, [P2P_SETTLEMENT]: 100_000n * 10n ** 6n }

type Ask = <K extends CallName>(
  customer: Customer,
  name: K,
  input?: { params?: Record<string, string>; body?: unknown }
) => Promise<Answer<K>>

export function sandboxTrader(context: Context, identity: SandboxIdentity, ask: Ask) {
  async function ready(): Promise<Customer> {
    const trader = await sandboxCustomer(context, EMAIL)
    if (!(await isVerifiedCustomer(context.db, trader.userId)))
      await receiveIdentityEvent(context, identity, identity.decide(trader, 'approve', NAME))
    await transact(context, async ({ tx, now }) => {
      for (const [currency, amount] of Object.entries(FUNDS)) {
        const { funding } = await lockedHolding(tx, trader.userId, currency)
        if (funding >= amount / 10n) continue
        const id = randomUUID()
        const destination = customerAccount(trader.userId, 'funding')
        await post(tx, {
          reason: 'adjustment',
          source: { type: 'adjustment', id },
          reference: `adjustment:${id}`,
          actor: systemActor('sandbox'),
          transfers: await withStock(tx, [{ source: house('treasury'), destination, currency, amount }]),
          at: now
        })
      }
    })
    return trader
  }

  /** Runs a call as the trader; false if the product refuses it. */
  async function tried(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act()
      return true
    } catch (error) {
      if (isCallFailed(error)) return false
      throw error
    }
  }

  /** Lists a sell order that customers can buy from. */
  async function sell(typed: string, pricePerCoin: string): Promise<boolean> {
    const read = readAmount(typed, decimalsOf(P2P_ASSET))
    if (!('units' in read)) return false
    const trader = await ready()
    const body = {
      orderType: 'SELL',
      assetCurrency: P2P_ASSET,
      settlementCurrency: P2P_SETTLEMENT,
      listedAssetAmount: read.units.toString(),
      pricePerCoin: pricePerCoin.trim(),
      settlementCurrencyType: 'CRYPTO',
      paymentMethod: 'INTERNAL_CRYPTO_TRANSFER',
      paymentDetails: ''
    }
    return tried(() => ask(trader, 'createP2pOrder', { body }))
  }

  /** Buys all that is left of a customer's oldest open order. */
  async function buyFrom(email: string): Promise<boolean> {
    const [order] = await openOrdersOf(context.db, email)
    if (!order) return false
    const trader = await ready()
    return tried(() => ask(trader, 'fillP2pOrder', { params: { id: order.id }, body: {} }))
  }

  return { sell, buyFrom }
}
