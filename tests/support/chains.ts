/** The sandbox chains of a test's application: addresses of customers, incoming transfers, blocks, reorganisations. */
import { type Chain, type ChainToken, chainOf } from '#lib/domain/chains/chains.ts'
import type { Customer, TestApp } from './testApp.ts'

export function chainsOf({ app, send }: TestApp) {
  const chains = app.sandbox?.chains
  if (!chains) throw new Error('Only the sandbox has these chains')

  async function addressFor(customer: Customer, currency: ChainToken, isNew = false): Promise<string> {
    await chains?.fillPool()
    await chains?.follow(chainOf(currency))
    const answer = await send('POST', '/users/deposit/address', { token: customer.token, body: { currency, isNew } })
    return answer.body.data.address
  }

  return {
    ...chains,
    addressFor,
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    history: async (customer: Customer): Promise<any[]> =>
      (await send('GET', '/users/deposit/history', { token: customer.token })).body.data,
    spotOf: async (customer: Customer, currency: string): Promise<bigint> => {
      const { body } = await send('GET', '/users/balance', { token: customer.token })
      return BigInt(body.data[currency].wallet.spotBalance)
    },
    /** Mines until a deposit of the chain has enough confirmations. */
    confirm: (chain: Chain) => chains.mine(chain, 12)
  }
}
