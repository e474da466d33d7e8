/** The signer derives addresses ahead, so that web processes can assign them without having the seed. */
import { createHmac } from 'node:crypto'
import { max } from 'drizzle-orm'
import { CHAINS, type Chain } from '#lib/domain/chains/chains.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { publicKeyOf, signingKey } from '../../platform/ed25519.ts'
import type { JobKind } from '../../platform/jobs/kinds.ts'
import { transact } from '../../platform/transaction.ts'
import { deriveCold } from '../cold/addresses.ts'
import type { ColdWallet } from '../cold/wallet.ts'
import { chainAddresses, type SeedPurpose } from '../schema.ts'
import { newestFree } from './addresses.ts'
import { houseAddress, isUsed } from './house.ts'
import { type Derived, isProven, signAddress } from './proof.ts'

const EVERY_SECONDS = 10

/** Derives the addresses of one chain from the seed. */
export type AddressMaker = (purpose: SeedPurpose, position: number) => Pick<Derived, 'address' | 'accountId' | 'publicKey'>
export type Signer = {
  seed: Uint8Array
  makers: () => Promise<Record<Chain, AddressMaker>>
  /** Those of the settings. */
  coldWallets: () => Promise<ColdWallet[]>
}

/** The key that signs addresses, derived from the seed. No coins can be spent with it. */
export function addressKey(seed: Uint8Array) {
  return signingKey(createHmac('sha256', seed).update('addresses').digest())
}

/** Fills the pool up to `size` free addresses of each chain, and derives our own wallets and those of cold storage if they are missing. */
export async function fillPool(context: Context, { seed, makers, coldWallets }: Signer, size: number): Promise<void> {
  const key = addressKey(seed)
  for (const wallet of await coldWallets()) await deriveCold(context, key, wallet)
  const missing = await missingPositions(context, publicKeyOf(key), size)
  if (missing.length === 0) return
  const make = await makers()
  const rows = missing.map(({ chain, purpose, position }) => {
    const derived: Derived = { chain, purpose, position, ...make[chain](purpose, position) }
    return { ...derived, signature: signAddress(key, derived), createdAt: context.clock() }
  })
  // A second signer derives the same addresses.
  await transact(context, ({ tx }) => tx.insert(chainAddresses).values(rows).onConflictDoNothing())
}

type Place = { chain: Chain; purpose: SeedPurpose; position: number }

/** Addresses of an earlier seed do not count: this signer cannot spend what is paid to them. */
async function missingPositions({ db }: Context, proof: string, size: number): Promise<Place[]> {
  const last = await db
    .select({ chain: chainAddresses.chain, purpose: chainAddresses.purpose, position: max(chainAddresses.position) })
    .from(chainAddresses)
    .groupBy(chainAddresses.chain, chainAddresses.purpose)
  const place = (chain: Chain, purpose: SeedPurpose, offset = 0): Place => {
    const known = last.find((one) => one.chain === chain && one.purpose === purpose)?.position ?? -1
    return { chain, purpose, position: known + 1 + offset }
  }
  const missing: Place[] = []
  for (const chain of CHAINS) {
    if (!(await houseAddress(db, proof, chain, 'hot'))) missing.push(place(chain, 'hot'))
    if (chain === 'bitcoin' && !(await hasNewChange(db, proof))) missing.push(place(chain, 'change'))
    const free = (await newestFree(db, chain, size)).filter((row) => isProven(proof, row))
    for (let offset = 0; offset < size - free.length; offset += 1) missing.push(place(chain, 'deposit', offset))
  }
  return missing
}

/** Change goes to a new address once the last one has coins, so that nobody who looks at the chain finds all of our change together. */
async function hasNewChange(db: Executor, proof: string): Promise<boolean> {
  const newest = await houseAddress(db, proof, 'bitcoin', 'change')
  return newest !== undefined && !(await isUsed(db, newest))
}

export function poolJob(context: Context, signer: Signer, size: number): JobKind {
  return { name: 'address_pool', role: 'signer', everySeconds: EVERY_SECONDS, run: () => fillPool(context, signer, size) }
}
