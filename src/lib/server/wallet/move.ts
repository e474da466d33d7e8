import type { Balance } from '#lib/contract/types.ts'
import { TOKENS } from '#lib/domain/money/tokens.ts'
import { AlreadyBookedError, customerAccount, InsufficientFundsError, post } from '../ledger/post.ts'
import type { Context, Customer } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { once } from '../platform/idempotency.ts'
import { readBalance } from './read.ts'

type Move = { currency: string; amount: string; from: 'spot' | 'funding'; idempotencyKey: string }

/**
 * Moves an amount (smallest units) between the customer's spot and funding accounts and answers the balance after it.
 * Throws `currency_unsupported`, `amount_invalid`, `insufficient_spot`, `insufficient_funding`.
 */
export async function moveBetweenAccounts(context: Context, customer: Customer, move: Move): Promise<Balance> {
  const token = TOKENS.find(({ code }) => code === move.currency)
  if (!token) throw new AppError('currency_unsupported')
  const amount = BigInt(move.amount)
  if (amount <= 0n) throw new AppError('amount_invalid')
  const to = move.from === 'spot' ? 'funding' : 'spot'
  const call = `${move.from}-to-${to}`
  try {
    return await once(context, customer, { key: move.idempotencyKey, call, body: [move.currency, move.amount] }, async (tx) => {
      await post(tx, {
        reason: 'moved_between_accounts',
        reference: `move:${customer.userId}:${move.idempotencyKey}`,
        transfers: [
          {
            source: customerAccount(customer.userId, move.from),
            destination: customerAccount(customer.userId, to),
            currency: move.currency,
            amount
          }
        ],
        at: context.clock()
      })
      return readBalance(tx, customer.userId, token)
    })
  } catch (error) {
    // The answer of a key is kept for some days, the booking for ever.
    if (error instanceof AlreadyBookedError) throw new AppError('idempotency_key_reused')
    if (!(error instanceof InsufficientFundsError)) throw error
    throw new AppError(move.from === 'spot' ? 'insufficient_spot' : 'insufficient_funding')
  }
}
