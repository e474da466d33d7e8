/** The customer's address book, and the whitelist that they may restrict withdrawals to. */
import { and, eq, isNull } from 'drizzle-orm'
import { restUntil } from '#lib/domain/access/withdrawalGate.ts'
import { accountOf, accountOfKey, readAddress } from '#lib/domain/chains/address.ts'
import type { Chain } from '#lib/domain/chains/chains.ts'
import { lockProved } from '../access/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact } from '../platform/transaction.ts'
import { refuseOurs, whitelistOf } from './gate.ts'
import { addressRow } from './request.ts'
import { withdrawalAddresses, withdrawalWhitelists } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'

const MOST_ADDRESSES = 100

type Entry = { chain: Chain; address: string; publicKey?: string | undefined; name: string; isListed: boolean }

/**
 * Saves an address under a name. Its place on the whitelist counts after 24 hours; a mail announces it. Throws `invalid_fields`,
 * `confirmation_required`, `addresses_used_up`.
 */
export async function keepAddress(
  context: Context,
  settings: WithdrawalSettings,
  customer: Customer,
  entry: Entry
): Promise<void> {
  const { chain, name, isListed } = entry
  const read = readAddress(chain, entry.address, settings.networks)
  if (read.fault) throw new AppError('invalid_fields', { fields: { address: `address_${read.fault}` } })
  const { address } = read
  if (chain === 'cpc' && accountOfKey(entry.publicKey ?? '') !== accountOf(address))
    throw new AppError('invalid_fields', { fields: { publicKey: 'public_key_wrong' } })
  await transact(context, async (work) => {
    const { tx, now } = work
    const user = await lockProved(context, work, customer)
    await refuseOurs(tx, { chain, address, userId: user.id }, settings)
    const known = await tx
      .select({ chain: withdrawalAddresses.chain, address: withdrawalAddresses.address })
      .from(withdrawalAddresses)
      .where(eq(withdrawalAddresses.userId, user.id))
    const isNew = !known.some((one) => one.chain === chain && one.address === address)
    if (isNew && known.length >= MOST_ADDRESSES) throw new AppError('addresses_used_up', { params: { most: MOST_ADDRESSES } })
    const row = await addressRow(work, { userId: user.id, chain, address, publicKey: entry.publicKey ?? null })
    const listedFrom = isListed ? (row.listedFrom ?? restUntil(now)) : null
    await tx.update(withdrawalAddresses).set({ name, listedFrom }).where(eq(withdrawalAddresses.id, row.id))
    if (isListed && !row.listedFrom)
      await work.enqueue(mailTo(user, 'addressListed', { address, link: `${context.origin}/withdraw-history` }))
  })
}

/** A removed address must be confirmed by mail again. Throws `address_not_found`. */
export async function removeAddress(context: Context, customer: Customer, id: string): Promise<void> {
  const removed = await context.db
    .update(withdrawalAddresses)
    .set({ removedAt: context.clock(), confirmedAt: null, listedFrom: null })
    .where(
      and(
        eq(withdrawalAddresses.id, BigInt(id)),
        eq(withdrawalAddresses.userId, customer.userId),
        isNull(withdrawalAddresses.removedAt)
      )
    )
    .returning({ id: withdrawalAddresses.id })
  if (removed.length === 0) throw new AppError('address_not_found')
}

/** Switches it on at once, off after 24 hours; a mail announces the end. */
export async function setWhitelist(context: Context, customer: Customer, isOn: boolean): Promise<void> {
  await transact(context, async (work) => {
    const { tx, now } = work
    const user = await lockProved(context, work, customer)
    const before = await whitelistOf(tx, user.id, now)
    if (!isOn && !before.isOn) return
    const endsAt = isOn ? null : (before.endsAt ?? restUntil(now))
    await tx
      .insert(withdrawalWhitelists)
      .values({ userId: user.id, isOn: true, endsAt })
      .onConflictDoUpdate({ target: withdrawalWhitelists.userId, set: { isOn: true, endsAt } })
    if (!isOn && !before.endsAt)
      await work.enqueue(mailTo(user, 'whitelistEnding', { link: `${context.origin}/withdraw-history` }))
  })
}
