/** The chains of the page `/sandbox`: transfers that arrive, blocks, reorganisations. */
import { eq } from 'drizzle-orm'
import { type Chain, chainOf, isChainToken } from '#lib/domain/chains/chains.ts'
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { users } from '../access/index.ts'
import { giveAddress } from '../chains/index.ts'
import { type SandboxPayment, sandboxMine, sandboxPay, sandboxReorganise } from '../chains/sandbox.ts'
import type { Context } from '../platform/context.ts'

type Parts = {
  /** The signer's public key. */
  proof: string
  fillPool: () => Promise<void>
  /** Reads what is new on a chain. */
  follow: (chain: Chain) => Promise<void>
}

export function sandboxChains(context: Context, { proof, fillPool, follow }: Parts) {
  /** A transfer from outside, already in its first block. */
  async function pay(chain: Chain, ...payments: SandboxPayment[]): Promise<string> {
    // Where reading begins: what was paid before, nobody of ours had an address for.
    await follow(chain)
    const id = await sandboxPay(context, chain, payments)
    await sandboxMine(context, chain)
    await follow(chain)
    return id
  }

  /** Sends an amount as typed to a customer's address; false for an unknown customer, token or amount. */
  async function deposit(email: string, currency: string, typed: string): Promise<boolean> {
    const [user] = await context.db.select().from(users).where(eq(users.email, email))
    if (!user || !isChainToken(currency)) return false
    const { units } = { units: undefined, ...readAmount(typed, decimalsOf(currency)) }
    if (units === undefined) return false
    await fillPool()
    await follow(chainOf(currency))
    const { address } = await giveAddress(context, proof, { userId: user.id, chain: chainOf(currency), isNew: false })
    await pay(chainOf(currency), { address, token: currency, amount: units })
    return true
  }

  return {
    pay,
    deposit,
    fillPool,
    follow,
    mine: async (chain: Chain, count: number) => {
      await sandboxMine(context, chain, count)
      await follow(chain)
    },
    /** `isDropped`: the transfers of the replaced blocks wait again, instead of being in the new ones. */
    reorganise: async (chain: Chain, depth: number, isDropped: boolean) => {
      await sandboxReorganise(context, chain, depth, isDropped)
      await follow(chain)
    }
  }
}
