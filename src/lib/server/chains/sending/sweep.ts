/**
 * Moves coins from customers' accounts to the hot wallet, from which withdrawals are paid. Bitcoin is not swept: any of our coins can
 * pay. The transfer of a token is paid in ether, which the hot wallet sends first.
 */

import { randomUUID } from 'node:crypto'
import { and, asc, eq, lte, or, sql } from 'drizzle-orm'
import { type Chain, type ChainToken, NATIVE } from '#lib/domain/chains/chains.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import type { JobKind } from '../../platform/jobs/kinds.ts'
import { houseAddress } from '../addresses/house.ts'
import { isProven } from '../addresses/proof.ts'
import { NodeError, type Payout } from '../port.ts'
import { newestHeight } from '../reading/watch.ts'
import { chainAccounts, chainAddresses, chainSends, type SendPurpose } from '../schema.ts'
import { CPC_FEE } from './fees.ts'
import { signSend } from './send.ts'
import type { Signing } from './signing.ts'

type AddressRow = typeof chainAddresses.$inferSelect

/** A smaller balance is not moved: the fee would take too much of it. */
const SMALLEST: Record<ChainToken, bigint> = { USDC: 20_000_000n, ETH: 5_000_000_000_000_000n, CPC: 2_000_000_000n, BTC: 0n }
/** The highest network fee of a sweep, in the chain's own token; above it the sweep waits. */
const MOST_FEE: Record<Chain, bigint> = { ethereum: 3_000_000_000_000_000n, cpc: CPC_FEE, bitcoin: 0n }
const PLAIN_GAS = 21_000n
/** Spare ether: the price may rise before the token's transfer is in a block. */
const TOP_UP = { times: 3n, by: 2n }
const AT_ONCE = 20
const EVERY_SECONDS = 60

/** Moves payments that are deep enough, one step per account and run: gas first if needed, then the token, then the chain's own token. */
export async function sweepDue(context: Context, signing: Signing): Promise<void> {
  const { db, clock, log } = context
  const { chain } = signing.node
  const hot = await houseAddress(db, signing.proof, chain, 'hot')
  if (!hot) return
  const deep = (await newestHeight(db, chain)) - signing.confirmations[NATIVE[chain]] + 1
  const due = await db
    .select({ account: chainAccounts, address: chainAddresses })
    .from(chainAccounts)
    .innerJoin(chainAddresses, eq(chainAddresses.id, chainAccounts.addressId))
    .where(and(eq(chainAddresses.chain, chain), eq(chainAddresses.purpose, 'deposit'), lte(chainAccounts.dueHeight, deep)))
    .orderBy(sql`${chainAccounts.lookedAt} nulls first`, asc(chainAccounts.dueHeight))
    .limit(AT_ONCE)
  for (const { account, address } of due) {
    const theirs = eq(chainAccounts.addressId, address.id)
    await db.update(chainAccounts).set({ lookedAt: clock() }).where(theirs)
    // The signer cannot sign for an address that it did not derive, and must not pay to it.
    if (!isProven(signing.proof, address) || (await isMoving(context.db, address))) continue
    try {
      if (!(await sweepOne(context, signing, { from: address, hot, deep }))) continue
      const { receivedHeight } = account
      await db
        .update(chainAccounts)
        .set({ dueHeight: receivedHeight !== null && receivedHeight > deep ? receivedHeight : null })
        .where(and(theirs, eq(chainAccounts.receivedHeight, receivedHeight ?? 0)))
    } catch (error) {
      if (!(error instanceof NodeError)) throw error
      // If the node does not respond at all, this throws and ends the run.
      await signing.node.tip()
      log.warn({ chain, address: address.address, err: error }, 'an account could not be swept')
    }
  }
}

/** True if a payment to or from the address is on its way. */
async function isMoving(db: Executor, { id, chain, address }: AddressRow): Promise<boolean> {
  const [open] = await db
    .select({ id: chainSends.id })
    .from(chainSends)
    .where(
      and(
        eq(chainSends.chain, chain),
        eq(chainSends.state, 'signed'),
        or(eq(chainSends.fromId, id), eq(chainSends.receiver, address))
      )
    )
    .limit(1)
  return open !== undefined
}

type Sweeping = { from: AddressRow; hot: AddressRow /** The newest block that is deep enough. */; deep: number }

/** True if nothing is left that is large enough to move. */
async function sweepOne(context: Context, signing: Signing, { from, hot, deep }: Sweeping): Promise<boolean> {
  const { node } = signing
  // Only what was there at the deep block and still is: a newer payment may still be reverted.
  const holds = async (token: ChainToken) => {
    const [now, then] = [
      await node.holds({ address: from.address, token }),
      await node.holds({ address: from.address, token }, deep)
    ]
    return now < then ? now : then
  }
  const move = (purpose: SendPurpose, payout: Payout, payer: AddressRow) =>
    signSend(context, signing, {
      id: randomUUID(),
      purpose,
      payout,
      from: payer,
      mostFee: MOST_FEE[node.chain],
      cents: 0n,
      // Asked again under the lock: another run of this job may have signed one meanwhile.
      claim: async ({ tx }) => !(await isMoving(tx, from))
    })
  const price = await node.price()
  const native = NATIVE[node.chain]
  const has = await holds(native)
  if (node.chain === 'ethereum') {
    const token = await holds('USDC')
    if (token >= SMALLEST.USDC) {
      const payout = { to: hot.address, token: 'USDC', amount: token } as const
      const gas = (await node.sizeOf(from.address, payout)) * price.most
      if (has >= gas) await move('sweep', payout, from)
      else {
        const missing = (gas * TOP_UP.times) / TOP_UP.by - has
        // The node says how much gas is needed: one that lies must not empty the hot wallet.
        if (missing > MOST_FEE.ethereum)
          throw new NodeError(`The node asks for ${missing} wei of gas: more than a sweep may cost`)
        await move('top_up', { to: from.address, token: 'ETH', amount: missing }, hot)
      }
      return false
    }
  }
  const fee = node.chain === 'ethereum' ? PLAIN_GAS * price.most : CPC_FEE
  if (has - fee < SMALLEST[native]) return true
  await move('sweep', { to: hot.address, token: native, amount: has - fee }, from)
  return false
}

/** Runs in the signer. If the node fails, the next run tries again. */
export function sweepJobs(context: Context, signingOf: (chain: Chain) => Promise<Signing>): JobKind[] {
  return (['ethereum', 'cpc'] as const).map((chain) => ({
    name: `sweep_${chain}`,
    role: 'signer',
    everySeconds: EVERY_SECONDS,
    run: async () => {
      try {
        await sweepDue(context, await signingOf(chain))
      } catch (error) {
        if (!(error instanceof NodeError)) throw error
        context.log.warn({ chain, err: error }, 'nothing can be swept at the moment')
      }
    }
  }))
}
