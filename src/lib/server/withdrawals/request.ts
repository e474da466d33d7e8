/** A customer asks for a withdrawal: everything is checked, and the amount moves to `outgoing`, in one transaction. */
import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { accountOf, accountOfKey, readAddress } from '#lib/domain/chains/address.ts'
import { type ChainToken, chainOf, WITHDRAWABLE } from '#lib/domain/chains/chains.ts'
import { needsDetails, type SaidDetails } from '#lib/domain/chains/parties.ts'
import { spotFirst } from '#lib/domain/ledger/holdings.ts'
import { smallestWithdrawal, WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { lockProved, type User } from '../access/index.ts'
import { partyDetailsOf } from '../identity/index.ts'
import { lockedHolding, post } from '../ledger/index.ts'
import { type Customer, customerActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { once } from '../platform/idempotency.ts'
import type { Work } from '../platform/transaction.ts'
import { ratesOf, type Worth, worthAtMost } from '../rates/index.ts'
import { refuseOurs, requireFewOpen, requireListed, requireOpenGate, requireWithinLimit, sumsOfDay } from './gate.ts'
import { dayLimitOf } from './limits.ts'
import { tellRequested } from './mails.ts'
import { present } from './read.ts'
import { type WithdrawalRow, withdrawalAddresses, withdrawals } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'
import { partsOf } from './transfers.ts'

type Account = { accountId: string; publicKey: string }
export type WithdrawalRequest = {
  currency: string
  /** Smallest units, our fee included. */
  amount: string
  address: string
  /** CPC: must belong to the address. */
  account?: Account
  details?: SaidDetails | undefined
  idempotencyKey: string | undefined
}

/**
 * Throws what `requireOpenGate` throws, `confirmation_required`, `currency_unsupported`, `amount_invalid`, `withdrawal_too_small`,
 * `invalid_fields` (address, publicKey, details), `withdrawal_limit`, `withdrawals_open`, `insufficient_balance`; and
 * UnavailableError without a price.
 */
export async function requestWithdrawal(
  context: Context,
  settings: WithdrawalSettings,
  customer: Customer,
  request: WithdrawalRequest
): Promise<Answer<'withdrawBtc'>> {
  const currency = WITHDRAWABLE.find((one) => one === request.currency)
  if (!currency) throw new AppError('currency_unsupported')
  const amount = amountOf(currency, request.amount)
  const address = addressOf(settings, currency, request)
  const readRates = await ratesOf(settings.rates)
  const { idempotencyKey: key, ...body } = request
  return once(context, customerActor(customer), { key, call: 'withdraw', body }, async (work) => {
    const rates = readRates()
    const value = worthAtMost(rates, currency, amount)
    const user = await lockProved(context, work, customer)
    await requireOpenGate(work.tx, rates, user, currency, work.now)
    await refuseOurs(work.tx, { chain: chainOf(currency), address, userId: user.id }, settings)
    await requireFewOpen(work.tx, user.id)
    await requireDetails(work, user.id, value, request.details)
    const dayCents = await dayLimitOf(work.tx, user.id, settings.limits, work.now)
    await requireWithinLimit(work.tx, dayCents, { userId: user.id, cents: value.usdCents, now: work.now })
    const row = await insert(work, settings, user, { currency, amount, address, value, request })
    await book(work, row)
    await tellRequested(context, work, user, row)
    return present(row, undefined)
  })
}

/** Throws `invalid_fields` (details) if the receiver must be named: what was requested within 24 hours counts together. */
async function requireDetails(
  { tx, now }: Work,
  userId: string,
  { euroCents }: Worth,
  details: SaidDetails | undefined
): Promise<void> {
  const linked = details ? 0n : (await sumsOfDay(tx, userId, now)).euroCents
  if (!details && needsDetails(linked + euroCents))
    throw new AppError('invalid_fields', { fields: { details: 'details_required' } })
}

function amountOf(currency: ChainToken, text: string): bigint {
  const amount = BigInt(text)
  if (amount <= 0n) throw new AppError('amount_invalid')
  const [least, fee] = [smallestWithdrawal(currency), WITHDRAWAL_FEES[currency]]
  if (amount < least)
    throw new AppError('withdrawal_too_small', {
      params: { least: `${formatExactUnits(least, currency)} ${currency}`, fee: `${formatExactUnits(fee, currency)} ${currency}` }
    })
  return amount
}

/** The address in the form in which we store and compare it. */
function addressOf({ networks }: WithdrawalSettings, currency: ChainToken, { address, account }: WithdrawalRequest): string {
  const read = readAddress(chainOf(currency), address, networks)
  if (read.fault) throw new AppError('invalid_fields', { fields: { address: `address_${read.fault}` } })
  if (chainOf(currency) === 'cpc') {
    const id = accountOfKey(account?.publicKey ?? '')
    const isOne = id !== undefined && id === accountOf(read.address) && id.toString() === account?.accountId
    if (!isOne) throw new AppError('invalid_fields', { fields: { publicKey: 'public_key_wrong' } })
  }
  return read.address
}

type Made = { currency: ChainToken; amount: bigint; address: string; value: Worth; request: WithdrawalRequest }

async function insert(
  work: Work,
  { limits }: WithdrawalSettings,
  user: User,
  { currency, amount, address, value, request }: Made
): Promise<WithdrawalRow> {
  const { tx, now } = work
  const chain = chainOf(currency)
  const known = await addressRow(work, { userId: user.id, chain, address, publicKey: request.account?.publicKey ?? null })
  await requireListed(tx, user.id, known, now)
  const { missing, ...from } = spotFirst(amount, await lockedHolding(tx, user.id, currency))
  if (missing > 0n) throw new AppError('insufficient_balance')
  const isBig = value.usdCents > limits.approvalAboveCents
  const state = known.confirmedAt === null ? 'unconfirmed' : isBig ? 'review' : 'approved'
  const [row] = await tx
    .insert(withdrawals)
    .values({
      id: randomUUID(),
      userId: user.id,
      chain,
      currency,
      amount,
      fee: WITHDRAWAL_FEES[currency],
      addressId: known.id,
      receiver: address,
      fromSpot: from.spot,
      fromFunding: from.funding,
      ...value,
      details: request.details ? await partyDetailsOf(work.tx, user.id, request.details) : null,
      state,
      requestedAt: now,
      approvedAt: state === 'approved' ? now : null
    })
    .returning()
  if (!row) throw new Error('The database returned no withdrawal')
  return row
}

type NewAddress = Pick<typeof withdrawalAddresses.$inferInsert, 'userId' | 'chain' | 'address' | 'publicKey'>

/** The entry of the customer's address book; made if there is none. An entry that they removed must be confirmed again. */
export async function addressRow({ tx, now }: Work, asked: NewAddress) {
  const { userId, chain, address, publicKey } = asked
  const theirs = and(
    eq(withdrawalAddresses.userId, userId),
    eq(withdrawalAddresses.chain, chain),
    eq(withdrawalAddresses.address, address)
  )
  await tx
    .insert(withdrawalAddresses)
    .values({ ...asked, createdAt: now })
    .onConflictDoNothing()
  const [row] = await tx.select().from(withdrawalAddresses).where(theirs)
  if (!row) throw new Error('The database returned no address')
  if (row.removedAt === null && row.publicKey === publicKey) return row
  const again = row.removedAt === null ? {} : { removedAt: null, confirmedAt: null, listedFrom: null, name: '', createdAt: now }
  const [updated] = await tx
    .update(withdrawalAddresses)
    .set({ ...again, publicKey })
    .where(theirs)
    .returning()
  return updated ?? row
}

async function book({ tx, now }: Work, row: WithdrawalRow): Promise<void> {
  await post(tx, {
    reason: 'withdrawal_requested',
    source: { type: 'withdrawal', id: row.id },
    reference: `withdrawal:${row.id}`,
    actor: customerActor(row),
    transfers: partsOf(row, false),
    at: now
  })
}
