import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Balance } from '#lib/contract/types.ts'
import { type Currency, findToken } from '#lib/domain/money/currencies.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { formatDay } from '#lib/format/dates.ts'
import { addressesOf } from '../chains/index.ts'
import { AlreadyBookedError, customerAccount, InsufficientFundsError, lockedHolding, post } from '../ledger/index.ts'
import { actorText, type Customer, customerActor } from '../platform/actor.ts'
import { batchOnce, refuseTooOld } from '../platform/batch.ts'
import type { Context } from '../platform/context.ts'
import type { Database, Executor } from '../platform/db/client.ts'
import { runNamed } from '../platform/db/named.ts'
import { reading } from '../platform/db/pageReads.ts'
import { AppError } from '../platform/errors.ts'
import { hashOf, once } from '../platform/idempotency.ts'
import { tryAgain, tryTogether, type Work } from '../platform/transaction.ts'
import { emptyBalance, readBalance } from './read.ts'

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
  try {
    return await (move.from === 'reward'
      ? moveReward(context, customer, { ...move, token, amount })
      : moveOwn(context, customer, { ...move, token, amount }))
  } catch (error) {
    // The stored response is deleted after some days, the booking never.
    if (error instanceof AlreadyBookedError) throw new AppError('idempotency_key_reused')
    if (!(error instanceof InsufficientFundsError)) throw error
    throw new AppError(MISSING[move.from])
  }
}

type Checked = Omit<Move, 'amount'> & { token: Currency; amount: bigint }

const sourceOf = ({ userId }: Customer, key: string | undefined) => `${userId}:${key ?? randomUUID()}`
/** What a repeat with the same key must ask for again. */
const requestOf = ({ from, currency, amount, idempotencyKey }: Checked) => {
  return { key: idempotencyKey, call: `${from}-to-${TO[from]}`, body: [currency, amount.toString()] }
}

/** Between spot and funding: the booking, its key and the balance after it in one statement, with those of other customers. */
async function moveOwn(context: Context, customer: Customer, move: Checked): Promise<Balance> {
  const { userId } = customer
  const { from, currency, amount, token, proof } = move
  const request = requestOf(move)
  const addresses = await reading(() => addressesOf(context.db, proof, userId))
  const { balance, refused } = await movesOf(context).add({
    actor: actorText(customerActor(customer)),
    key: request.key ?? null,
    since: performance.now(),
    hash: hashOf(request),
    owner: userId,
    from,
    to: TO[from],
    currency,
    amount: amount.toString(),
    sourceId: sourceOf(customer, request.key),
    answer: JSON.stringify(emptyBalance(token, addresses))
  })
  if (refused === 'accounts_balance_not_negative') throw new AppError(MISSING[from])
  // Also where the stored response is deleted already: the booking never is.
  if (!balance) throw new AppError('idempotency_key_reused')
  return balance
}

type MoveRow = Record<'actor' | 'hash' | 'owner' | 'from' | 'to' | 'currency' | 'amount' | 'sourceId' | 'answer', string> & {
  key: string | null
  /** When it was asked for, by `performance.now()`. */
  since: number
}
type Moved = { balance: Balance | null; refused: string | null }

const movesOf = batchOnce(({ db, clock }: Context) => ({
  run: (rows: MoveRow[]) => moveTogether(db, rows, clock()),
  ownerOf: ({ owner }: MoveRow) => owner,
  isRepeatOf: ({ key }: MoveRow, earlier: MoveRow) => key !== null && key === earlier.key,
  lanes: 2,
  most: 64
}))

async function moveAlone(db: Database, row: MoveRow, now: Date): Promise<Moved> {
  const { actor, key, hash, owner, from, to, currency, amount, sourceId, answer } = row
  const statement = sql`select balance, refused from wallet_move(${actor}, ${key}, ${hash}, ${owner}::uuid, ${from}, ${to}, ${currency}, ${amount}::numeric, ${sourceId}, ${answer}::jsonb, ${now.toISOString()}::timestamptz)`
  const [moved] = await tryAgain(() => runNamed<Moved>(db, 'wallet_move', statement))
  return moved ?? { balance: null, refused: null }
}

/**
 * One whose account or key is busy goes alone, and keeps none of the others waiting. If the statement was given up, each goes alone, except those that have
 * waited too long.
 */
async function moveTogether(db: Database, rows: MoveRow[], now: Date): Promise<(Moved | Promise<Moved>)[]> {
  const [first] = rows
  if (first && rows.length === 1) return [await moveAlone(db, first, now)]
  const column = (read: (row: MoveRow) => string | null) => sql`${sql.param(rows.map(read))}`
  const statement = sql`select balance, refused from wallet_move_many(
    ${column(({ actor }) => actor)}, ${column(({ key }) => key)}, ${column(({ hash }) => hash)}, ${column(({ owner }) => owner)},
    ${column(({ from }) => from)}, ${column(({ to }) => to)}, ${column(({ currency }) => currency)}, ${column(({ amount }) => amount)},
    ${column(({ sourceId }) => sourceId)}, ${column(({ answer }) => answer)}, ${now.toISOString()}::timestamptz) order by request`
  const moved = await tryTogether(() => runNamed<Moved>(db, 'wallet_move_many', statement))
  if (!moved)
    return rows.map(async (row) => {
      refuseTooOld(row.since, row.key !== null)
      return moveAlone(db, row, now)
    })
  return rows.map((row, index) => {
    const of = moved[index] ?? { balance: null, refused: null }
    return of.refused === 'account_locked' ? moveAlone(db, row, now) : of
  })
}

/** From rewards, of which some may rest: what may be moved is looked at under the same lock. */
function moveReward(context: Context, customer: Customer, move: Checked): Promise<Balance> {
  const { userId } = customer
  const { currency, amount, token, proof, from } = move
  const actor = customerActor(customer)
  const request = requestOf(move)
  const sourceId = sourceOf(customer, request.key)
  return once(context, actor, request, async (work) => {
    const { tx, now } = work
    await requireMovable(work, move, userId, amount)
    await post(tx, {
      reason: 'moved_between_accounts',
      source: { type: 'move', id: sourceId },
      reference: `move:${sourceId}`,
      actor,
      transfers: [{ source: customerAccount(userId, from), destination: customerAccount(userId, TO[from]), currency, amount }],
      at: now
    })
    return readBalance(tx, proof, userId, token)
  })
}

/** Throws `insufficient_reward`, `kyc_required`, or `reward_resting` with what may be moved now, and from when more. */
async function requireMovable(
  { tx, now }: Work,
  { currency, restingOf }: Pick<Move, 'currency' | 'restingOf'>,
  userId: string,
  amount: bigint
): Promise<void> {
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
