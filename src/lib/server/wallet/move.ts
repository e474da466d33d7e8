import { randomUUID } from 'node:crypto'
import type { Balance } from '#lib/contract/types.ts'
import { findToken } from '#lib/domain/money/currencies.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { formatDay } from '#lib/format/dates.ts'
import { AlreadyBookedError, customerAccount, InsufficientFundsError, lockedHolding, post } from '../ledger/index.ts'
import { type Customer, customerActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { once } from '../platform/idempotency.ts'
import type { Work } from '../platform/transaction.ts'
import { readBalance } from './read.ts'

/** The accounts that an amount may be moved from, and where it then goes. */
const TO = { spot: 'funding', funding: 'spot', reward: 'spot' } as const
const MISSING = { spot: 'insufficient_spot', funding: 'insufficient_funding', reward: 'insufficient_reward' } as const

type MovableFrom = keyof typeof TO
/** What of a customer's rewards may not be moved yet, and when the first of it may be. */
export type RestingOf = (
  tx: Executor,
  of: { userId: string; currency: string; now: Date }
) => Promise<{ amount: bigint; until: Date | undefined; isUnverified: boolean }>
type Move = {
  currency: string
  amount: string
  from: MovableFrom
  idempotencyKey: string | undefined
  proof: string
  restingOf: RestingOf
}

/**
 * Moves an amount (smallest units) between the customer's spot and funding accounts, or from rewards to spot, and returns the
 * balance after it. With a key, a repeat books once; without one, every call books. Throws `currency_unsupported`,
 * `amount_invalid`, `insufficient_spot`, `insufficient_funding`, `insufficient_reward`, `reward_resting`, `idempotency_key_reused`.
 */
export async function moveBetweenAccounts(context: Context, customer: Customer, move: Move): Promise<Balance> {
  const token = findToken(move.currency)
  if (!token) throw new AppError('currency_unsupported')
  const amount = BigInt(move.amount)
  if (amount <= 0n) throw new AppError('amount_invalid')
  const to = TO[move.from]
  const call = `${move.from}-to-${to}`
  const actor = customerActor(customer)
  const sourceId = `${customer.userId}:${move.idempotencyKey ?? randomUUID()}`
  try {
    const request = { key: move.idempotencyKey, call, body: [move.currency, move.amount] }
    return await once(context, actor, request, async (work) => {
      const { tx, now } = work
      if (move.from === 'reward') await requireMovable(work, move, customer.userId, amount)
      await post(tx, {
        reason: 'moved_between_accounts',
        source: { type: 'move', id: sourceId },
        reference: `move:${sourceId}`,
        actor,
        transfers: [
          {
            source: customerAccount(customer.userId, move.from),
            destination: customerAccount(customer.userId, to),
            currency: move.currency,
            amount
          }
        ],
        at: now
      })
      return readBalance(tx, move.proof, customer.userId, token)
    })
  } catch (error) {
    // The stored response is deleted after some days, the booking never.
    if (error instanceof AlreadyBookedError) throw new AppError('idempotency_key_reused')
    if (!(error instanceof InsufficientFundsError)) throw error
    throw new AppError(MISSING[move.from])
  }
}

/** Throws `insufficient_reward`, `kyc_required`, or `reward_resting` with what may be moved now, and from when more. */
async function requireMovable({ tx, now }: Work, { currency, restingOf }: Move, userId: string, amount: bigint): Promise<void> {
  const { reward } = await lockedHolding(tx, userId, currency)
  const { amount: resting, until, isUnverified } = await restingOf(tx, { userId, currency, now })
  // Not only by the booking: a reward that is booked meanwhile would rest, and must not be moved.
  if (amount > reward) throw new AppError('insufficient_reward')
  if (amount <= reward - resting) return
  if (isUnverified) throw new AppError('kyc_required')
  if (!until) throw new AppError('insufficient_reward')
  const movable = reward > resting ? reward - resting : 0n
  throw new AppError('reward_resting', {
    params: { movable: `${formatExactUnits(movable, currency)} ${currency}`, from: formatDay(until.toISOString()) }
  })
}
