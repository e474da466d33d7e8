/** Our own wallets' addresses. */
import { and, desc, eq } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import type { Executor } from '../../platform/db/client.ts'
import { chainAddresses, chainOutputs, chainSends, type Purpose } from '../schema.ts'
import type { AddressRow } from './addresses.ts'
import { isProven } from './proof.ts'

/** Those of another seed are newer after that seed was in use; further back nobody looks. */
const LOOKED_AT = 100

/** Our newest wallet address that this signer derived. */
export async function houseAddress(
  db: Executor,
  proof: string,
  chain: Chain,
  purpose: Exclude<Purpose, 'deposit'>
): Promise<AddressRow | undefined> {
  const rows = await db
    .select()
    .from(chainAddresses)
    .where(and(eq(chainAddresses.chain, chain), eq(chainAddresses.purpose, purpose)))
    .orderBy(desc(chainAddresses.id))
    .limit(LOOKED_AT)
  return rows.find((row) => isProven(proof, row))
}

/** Bitcoin: true if coins came to the address, or a payment of ours to it is under way. It is not used again. */
export async function isUsed(db: Executor, { id, chain, address }: AddressRow): Promise<boolean> {
  const [output] = await db
    .select({ id: chainOutputs.addressId })
    .from(chainOutputs)
    .where(eq(chainOutputs.addressId, id))
    .limit(1)
  if (output) return true
  const isTheirs = and(eq(chainSends.chain, chain), eq(chainSends.state, 'signed'), eq(chainSends.receiver, address))
  const [send] = await db.select({ id: chainSends.id }).from(chainSends).where(isTheirs).limit(1)
  return send !== undefined
}
