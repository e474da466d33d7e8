/** The addresses of cold storage: the signer derives them from the public key of its settings and signs them, as it does with all others. */
import type { KeyObject } from 'node:crypto'
import { and, desc, eq, max } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { publicKeyOf } from '../../platform/ed25519.ts'
import type { AddressRow } from '../addresses/addresses.ts'
import { isUsed } from '../addresses/house.ts'
import { type Derived, isProven, signAddress } from '../addresses/proof.ts'
import { type ColdPurpose, chainAddresses } from '../schema.ts'
import type { ColdWallet } from './wallet.ts'

const PURPOSES: Record<Chain, ColdPurpose[]> = { bitcoin: ['cold', 'cold_change'], ethereum: ['cold'], cpc: ['cold'] }

/** The newest address of this key; undefined if the signer has derived none yet. */
export async function coldAddress(
  db: Executor,
  proof: string,
  wallet: ColdWallet,
  purpose: ColdPurpose = 'cold'
): Promise<AddressRow | undefined> {
  const rows = await db
    .select()
    .from(chainAddresses)
    .where(and(eq(chainAddresses.chain, wallet.chain), eq(chainAddresses.purpose, purpose)))
    .orderBy(desc(chainAddresses.id))
  return rows.find((row) => isProven(proof, row) && wallet.addressAt(purpose, row.position).address === row.address)
}

/** Derives what is missing. `key`: signs addresses. Bitcoin gets a new address for each payment to cold storage. */
export async function deriveCold({ db, clock }: Context, key: KeyObject, wallet: ColdWallet): Promise<void> {
  for (const purpose of PURPOSES[wallet.chain]) {
    const newest = await coldAddress(db, publicKeyOf(key), wallet, purpose)
    const isEnough = newest && !(wallet.chain === 'bitcoin' && purpose === 'cold' && (await isUsed(db, newest)))
    if (isEnough) continue
    const [last] = await db
      .select({ position: max(chainAddresses.position) })
      .from(chainAddresses)
      .where(and(eq(chainAddresses.chain, wallet.chain), eq(chainAddresses.purpose, purpose)))
    const position = (last?.position ?? -1) + 1
    const derived: Derived = { chain: wallet.chain, purpose, position, ...wallet.addressAt(purpose, position) }
    await db
      .insert(chainAddresses)
      .values({ ...derived, signature: signAddress(key, derived), createdAt: clock() })
      // A second signer derives the same addresses.
      .onConflictDoNothing()
  }
}
