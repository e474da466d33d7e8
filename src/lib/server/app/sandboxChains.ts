/** The chains of the page `/sandbox`: transfers that arrive, blocks, reorganisations. */
import { eq } from 'drizzle-orm'
import { CHAINS, type Chain, chainOf, isChainToken } from '#lib/domain/chains/chains.ts'
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { users } from '../access/index.ts'
import { priceTimesOf, sandboxFault } from '../chains/adapters/sandbox.ts'
import { type SandboxPayment, sandboxMine, sandboxPay, sandboxReorganise } from '../chains/adapters/sandboxWorld.ts'
import {
  broadcastDue,
  fillPool as fillAddressPool,
  followChain,
  giveAddress,
  houseAddress,
  replaceStuck,
  sweepDue
} from '../chains/index.ts'
import { deposits } from '../deposits/index.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { moveToCold, signApproved, signReturns } from '../withdrawals/index.ts'
import type { Parts } from './parts.ts'

/** The amounts that the sandbox puts into the hot wallets, in smallest units. */
const STOCK: Record<Chain, [string, bigint][]> = {
  // Several coins, because the change of a spent coin can be spent only once it is confirmed.
  bitcoin: Array.from({ length: 20 }, () => ['BTC', 10n ** 8n]),
  ethereum: [
    ['ETH', 500n * 10n ** 18n],
    ['USDC', 2_000_000n * 10n ** 6n]
  ],
  cpc: [['CPC', 50_000_000n * 10n ** 8n]]
}
/** Blocks that confirm a deposit of any token. */
const DEEP = 12
/** Factor on the network's usual price that makes a withdrawal cost more than three times the fee that we charge. */
const DEAR = 100

export function sandboxChains(parts: Parts) {
  const { context } = parts
  const { proof } = parts.chains.deposits
  const { fillPool, follow, send, sweep, replace, cool } = workOf(parts)

  /** A transfer from outside, already in its first block. */
  async function pay(chain: Chain, ...payments: SandboxPayment[]): Promise<string> {
    // Reading starts at the newest block of the first reading: follow once before the payment is mined.
    await follow(chain)
    const id = await sandboxPay(context, chain, payments)
    await sandboxMine(context, chain)
    await follow(chain)
    return id
  }

  /** Fills the hot wallets, which pay withdrawals, if they were never filled. */
  async function stock(): Promise<void> {
    await fillPool()
    for (const chain of CHAINS) {
      await follow(chain)
      const hot = await houseAddress(context.db, proof, chain, 'hot')
      if (!hot || (await isStocked(hot.id))) continue
      const payments = STOCK[chain].map(([token, amount]) => ({ address: hot.address, token, amount }))
      await pay(chain, ...payments)
      await sandboxMine(context, chain, DEEP)
      await follow(chain)
    }
  }

  async function isStocked(addressId: bigint): Promise<boolean> {
    const [found] = await context.db.select({ id: deposits.id }).from(deposits).where(eq(deposits.addressId, addressId)).limit(1)
    return found !== undefined
  }

  /** Sends an amount, as the user typed it, to a customer's address; false for an unknown customer, token or amount. */
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
    send,
    sweep,
    replace,
    cool,
    stock,
    /** Fills the hot wallets at start; checks every minute. */
    stockJob: { name: 'sandbox_stock', role: 'signer', everySeconds: 60, run: stock } satisfies JobKind,
    /** Signs and sends what is approved, after filling the hot wallets. */
    sendAll: async (chain: Chain) => {
      await stock()
      await follow(chain)
      await send(chain)
    },
    /** Switches the network's price between the usual one and a hundred times that. */
    changePrice: async (chain: Chain) => {
      const isDear = (await priceTimesOf(context, chain)) > 1
      await sandboxFault(context, chain, { priceTimes: isDear ? 1 : DEAR })
    },
    fault: (chain: Chain, faults: Parameters<typeof sandboxFault>[2]) => sandboxFault(context, chain, faults),
    mine: async (chain: Chain, count: number) => {
      await sandboxMine(context, chain, count)
      await follow(chain)
    },
    /** `isDropped`: the transfers of the replaced blocks are unconfirmed again, instead of being in the new blocks. */
    reorganise: async (chain: Chain, depth: number, isDropped: boolean) => {
      await sandboxReorganise(context, chain, depth, isDropped)
      await follow(chain)
    }
  }
}

/** What the worker and the signer do by themselves, done at once. */
function workOf({ context, config, ports, chains: { cold, following, withdrawals, signer, signingOf } }: Parts) {
  const broadcast = async (chain: Chain) => broadcastDue(context, await ports.chainNode(chain))
  return {
    fillPool: async () => signer && fillAddressPool(context, signer, config.chains.poolSize),
    follow: async (chain: Chain) => followChain(context, await ports.chainNode(chain), following),
    /** Signs what is approved. */
    send: async (chain: Chain) => {
      if (signingOf) {
        const signing = await signingOf(chain)
        await signApproved(context, withdrawals, signing)
        await signReturns(context, withdrawals, signing)
      }
      await broadcast(chain)
    },
    /** Moves what came in to the hot wallet. */
    sweep: async (chain: Chain) => {
      if (signingOf && chain !== 'bitcoin') await sweepDue(context, await signingOf(chain))
      await broadcast(chain)
    },
    /** Moves what is too much in the hot wallet to cold storage. */
    cool: async (chain: Chain) => {
      if (signingOf) await moveToCold(context, cold, await signingOf(chain))
      await broadcast(chain)
    },
    /** Gives payments that are stuck a further attempt. */
    replace: async (chain: Chain) => {
      if (signingOf) await replaceStuck(context, await signingOf(chain))
      await broadcast(chain)
    }
  }
}
