/** The signer derives addresses ahead, so that a customer gets one without the seed being anywhere near the web. */
import { createHmac } from 'node:crypto'
import { and, count, eq, isNull, max } from 'drizzle-orm'
import { CHAINS, type Chain } from '#lib/domain/chains/chains.ts'
import type { Context } from '../platform/context.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { transact } from '../platform/transaction.ts'
import { type Derived, signAddress, signingKey } from './proof.ts'
import { chainAddresses, type Purpose } from './schema.ts'

const EVERY_SECONDS = 10

/** Derives the addresses of one chain from the seed. */
export type AddressMaker = (purpose: Purpose, position: number) => Pick<Derived, 'address' | 'accountId' | 'publicKey'>
export type Signer = { seed: Uint8Array; makers: () => Promise<Record<Chain, AddressMaker>> }

/** The key that addresses are signed with, from the seed: it spends nothing. */
export function addressKey(seed: Uint8Array) {
  return signingKey(createHmac('sha256', seed).update('addresses').digest())
}

/** Derives until `size` addresses of each chain are free, and the house's own two wallets exist. */
export async function fillPool(context: Context, { seed, makers }: Signer, size: number): Promise<void> {
  const missing = await missingPositions(context, size)
  if (missing.length === 0) return
  const key = addressKey(seed)
  const make = await makers()
  const rows = missing.map(({ chain, purpose, position }) => {
    const derived: Derived = { chain, purpose, position, ...make[chain](purpose, position) }
    return { ...derived, signature: signAddress(key, derived), createdAt: context.clock() }
  })
  // Two signers derive the same.
  await transact(context, ({ tx }) => tx.insert(chainAddresses).values(rows).onConflictDoNothing())
}

type Place = Pick<Derived, 'chain' | 'purpose' | 'position'>

async function missingPositions({ db }: Context, size: number): Promise<Place[]> {
  const isDeposit = eq(chainAddresses.purpose, 'deposit')
  const last = await db
    .select({ chain: chainAddresses.chain, purpose: chainAddresses.purpose, position: max(chainAddresses.position) })
    .from(chainAddresses)
    .groupBy(chainAddresses.chain, chainAddresses.purpose)
  const free = await db
    .select({ chain: chainAddresses.chain, count: count() })
    .from(chainAddresses)
    .where(and(isDeposit, isNull(chainAddresses.userId)))
    .groupBy(chainAddresses.chain)
  const lastOf = (chain: Chain, purpose: Purpose) =>
    last.find((one) => one.chain === chain && one.purpose === purpose)?.position ?? -1
  return CHAINS.flatMap((chain) => {
    const own: Purpose[] = chain === 'bitcoin' ? ['hot', 'change'] : ['hot']
    const house = own.filter((purpose) => lastOf(chain, purpose) < 0).map((purpose) => ({ chain, purpose, position: 0 }))
    const wanted = Math.max(0, size - (free.find((one) => one.chain === chain)?.count ?? 0))
    const first = lastOf(chain, 'deposit') + 1
    const deposits = Array.from({ length: wanted }, (_, index) => ({
      chain,
      purpose: 'deposit' as const,
      position: first + index
    }))
    return [...house, ...deposits]
  })
}

export function poolJob(context: Context, signer: Signer, size: number): JobKind {
  return { name: 'address_pool', role: 'signer', everySeconds: EVERY_SECONDS, run: () => fillPool(context, signer, size) }
}
