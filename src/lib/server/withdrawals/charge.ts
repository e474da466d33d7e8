/** A payment that a restored database no longer knew: taken from the customer who was paid, instead of being our loss. */
import { and, eq } from 'drizzle-orm'
import type { ChainToken } from '#lib/domain/chains/chains.ts'
import { spotFirst } from '#lib/domain/ledger/holdings.ts'
import { chainSends, customerHash } from '../chains/index.ts'
import { bookedUnder, customerAccount, house, lockedHolding, post } from '../ledger/index.ts'
import type { Actor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { transact } from '../platform/transaction.ts'

export const chargedReference = (id: string) => `charged:${id}`

export type ChargeRefusal = 'unknown' | 'charged' | 'not_theirs'

/**
 * Books a lost payment that the chain has confirmed from the customer's spot and funding to `losses`, once and whole: where `missing` is
 * above zero nothing is booked. The customer must be the one that the signer's journal names.
 */
export function chargeLost(
  context: Context,
  { id, userId, actor, why }: { id: string; userId: string; actor: Actor; why: string }
): Promise<ChargeRefusal | { currency: ChainToken; missing: bigint }> {
  return transact(context, async ({ tx, now }) => {
    const isLost = and(eq(chainSends.id, id), eq(chainSends.purpose, 'lost'), eq(chainSends.state, 'confirmed'))
    const [send] = await tx.select().from(chainSends).where(isLost).for('update')
    if (!send) return 'unknown'
    const reference = chargedReference(id)
    if ((await bookedUnder(tx, reference)).length > 0) return 'charged'
    if (send.customer !== customerHash(userId)) return 'not_theirs'
    const { currency, amount } = send
    const { spot, funding, missing } = spotFirst(amount, await lockedHolding(tx, userId, currency))
    if (missing > 0n) return { currency, missing }
    const parts = [
      { source: customerAccount(userId, 'spot'), amount: spot },
      { source: customerAccount(userId, 'funding'), amount: funding }
    ]
    await post(tx, {
      reason: 'adjustment',
      source: { type: 'chain_send', id },
      reference,
      actor,
      transfers: parts.flatMap((part) => (part.amount > 0n ? [{ ...part, destination: house('losses'), currency }] : [])),
      at: now
    })
    context.log.warn({ send: id, why }, 'a lost payment was charged to its customer')
    return { currency, missing }
  })
}
