/** P2P calls to a test's application. */
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import type { Customer, TestApp } from './testApp.ts'

export const COIN = 10n ** 8n
export const DOLLAR = 10n ** 6n

type Sale = { amount?: bigint; price?: string; smallest?: bigint; days?: 7 | 30; key?: string; body?: object }

export function p2pOf(test: TestApp) {
  const keyed = (key: string | undefined) => (key ? { headers: { 'idempotency-key': key } } : {})

  const terms = ({ amount = 1000n * COIN, price = '0.05', smallest, days, body }: Sale) => ({
    orderType: 'SELL',
    assetCurrency: 'CPC',
    settlementCurrency: 'USDC',
    listedAssetAmount: String(amount),
    pricePerCoin: price,
    settlementCurrencyType: 'CRYPTO',
    paymentMethod: 'INTERNAL_CRYPTO_TRANSFER',
    paymentDetails: '',
    ...(smallest !== undefined && { smallestFillAmount: String(smallest) }),
    ...(days && { expiresInDays: days }),
    ...body
  })

  const sell = (customer: Customer, sale: Sale = {}) =>
    test.send('POST', '/p2p/order', { token: customer.token, body: terms(sale), ...keyed(sale.key) })

  return {
    sell,
    preview: (customer: Customer, sale: Sale = {}) =>
      test.send('POST', '/p2p/order/preview-gross-asset', { token: customer.token, body: terms(sale) }),
    /** Lists an order and returns its id; throws if it is refused. */
    listed: async (customer: Customer, sale: Sale = {}): Promise<string> => {
      const answer = await sell(customer, sale)
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return answer.body.data.id
    },
    fill: (customer: Customer, id: string, { amount, key }: { amount?: bigint; key?: string } = {}) =>
      test.send('POST', `/p2p/order/${id}/fill`, {
        token: customer.token,
        ...(amount !== undefined && { body: { amount: String(amount) } }),
        ...keyed(key)
      }),
    cancel: (customer: Customer, id: string) => test.send('POST', `/p2p/order/${id}/cancel`, { token: customer.token }),
    fund: (customer: Customer, currency: string, amount: bigint, kind: 'spot' | 'funding' = 'funding') =>
      test.adjust([{ source: house('treasury'), destination: customerAccount(customer.userId, kind), currency, amount }]),
    /** A token's balances in spot, in funding without its frozen part, and frozen. */
    holding: async (customer: Customer, currency: string) => {
      const { wallet } = (await test.ask(customer, 'getBalance'))[currency]
      const frozen = BigInt(wallet.fundingBalance.frozen_balance)
      return { spot: BigInt(wallet.spotBalance), funding: BigInt(wallet.fundingBalance.total) - frozen, frozen }
    }
  }
}
