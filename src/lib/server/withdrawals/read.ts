import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { NETWORKS, WITHDRAWABLE } from '#lib/domain/chains/chains.ts'
import { CANCELLABLE, smallestWithdrawal, statusOf, WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { newestTransactionSql } from '../chains/index.ts'
import { depositsWithoutDetails } from '../deposits/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { builtOnce } from '../platform/db/builtOnce.ts'
import { boundsOf, gateOf } from './gate.ts'
import { type WithdrawalRow, withdrawalAddresses, withdrawalDecisions, withdrawals } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'

type Withdrawal = Answer<'withdrawBtc'>

/** What `present` needs. */
const shown = {
  id: withdrawals.id,
  chain: withdrawals.chain,
  currency: withdrawals.currency,
  amount: withdrawals.amount,
  fee: withdrawals.fee,
  receiver: withdrawals.receiver,
  state: withdrawals.state,
  waits: withdrawals.waits,
  usdCents: withdrawals.usdCents,
  transactionId: withdrawals.transactionId,
  requestedAt: withdrawals.requestedAt,
  approvedAt: withdrawals.approvedAt,
  signedAt: withdrawals.signedAt,
  cancelAskedAt: withdrawals.cancelAskedAt,
  endedAt: withdrawals.endedAt
}

/** `transactionId`: of the newest attempt, once it is signed. */
export function present(
  row: Pick<WithdrawalRow, keyof typeof shown>,
  transactionId: string | undefined,
  rejectedWhy?: string
): Withdrawal {
  const { id, chain, currency, amount, fee, receiver, state, waits } = row
  return {
    id,
    blockchain: NETWORKS[chain],
    currency,
    amount: amount.toString(),
    fee: fee.toString(),
    received: (amount - fee).toString(),
    receiver,
    ...(chain === 'cpc' ? { accountRs: receiver } : {}),
    status: statusOf(state),
    state,
    waits,
    why: rejectedWhy ?? null,
    isCancellable: CANCELLABLE.includes(state) && row.cancelAskedAt === null,
    usdCents: row.usdCents.toString(),
    transactionId: row.transactionId ?? transactionId ?? null,
    createdAt: row.requestedAt.toISOString(),
    approvedAt: row.approvedAt?.toISOString() ?? null,
    signedAt: row.signedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null
  }
}

/** The customer's withdrawals, newest first. */
export async function listWithdrawals(
  { db }: Context,
  { userId }: Customer,
  { page, size }: { page: number; size: number }
): Promise<Withdrawal[]> {
  const rows = await listed(db).execute({ user: userId, size, offset: (page - 1) * size })
  return rows.map(({ row, transactionId, why }) => present(row, transactionId ?? undefined, why ?? undefined))
}

const listed = builtOnce((db) =>
  db
    .select({ row: shown, transactionId: newestTransactionSql(withdrawals.id), why: withdrawalDecisions.why })
    .from(withdrawals)
    .leftJoin(
      withdrawalDecisions,
      and(eq(withdrawalDecisions.withdrawalId, withdrawals.id), eq(withdrawalDecisions.decision, 'rejected'))
    )
    .where(eq(withdrawals.userId, sql.placeholder('user')))
    .orderBy(desc(withdrawals.requestedAt), desc(withdrawals.id))
    .limit(sql.placeholder('size'))
    .offset(sql.placeholder('offset'))
    .prepare('withdrawals_listed')
)

const textsOf = (amountOf: (currency: (typeof WITHDRAWABLE)[number]) => bigint) =>
  Object.fromEntries(WITHDRAWABLE.map((currency) => [currency, amountOf(currency).toString()]))

/** Fees, limits and what is left of them, and whether the customer may withdraw. */
export async function withdrawalRules(
  { db, clock }: Context,
  { limits, networks, rates }: WithdrawalSettings,
  { userId }: Customer
): Promise<Answer<'getWithdrawalRules'>> {
  const now = clock()
  const [{ usedCents, euroCents, whitelist, dayCents }, { until, ...gate }, undeclared] = await Promise.all([
    boundsOf(db, userId, limits, now),
    gateOf(db, userId, now),
    rates.current().then((current) => depositsWithoutDetails(db, current, userId))
  ])
  const left = dayCents > usedCents ? dayCents - usedCents : 0n
  return {
    fees: textsOf((currency) => WITHDRAWAL_FEES[currency]),
    smallest: textsOf(smallestWithdrawal),
    dayCents: dayCents.toString(),
    leftCents: left.toString(),
    approvalAboveCents: limits.approvalAboveCents.toString(),
    linkedEuroCents: euroCents.toString(),
    gate: { ...gate, until: until?.toISOString() ?? null },
    whitelist: { ...whitelist, endsAt: whitelist.endsAt?.toISOString() ?? null },
    bitcoinNetwork: networks.bitcoin,
    cpcPrefix: networks.cpcPrefix,
    depositsWithoutDetails: undeclared.map(({ id, amount, currency }) => ({
      id: String(id),
      amount: amount.toString(),
      currency
    }))
  }
}

/** The customer's address book, by name. */
export async function listAddresses({ db, clock }: Context, { userId }: Customer): Promise<Answer<'listWithdrawalAddresses'>> {
  const rows = await db
    .select()
    .from(withdrawalAddresses)
    .where(and(eq(withdrawalAddresses.userId, userId), isNull(withdrawalAddresses.removedAt)))
    .orderBy(withdrawalAddresses.name, withdrawalAddresses.id)
  const now = clock()
  return rows.map(({ id, chain, address, publicKey, name, confirmedAt, listedFrom }) => ({
    id: String(id),
    blockchain: NETWORKS[chain],
    chain,
    address,
    publicKey,
    name,
    isConfirmed: confirmedAt !== null,
    listedFrom: listedFrom?.toISOString() ?? null,
    isListed: listedFrom !== null && listedFrom <= now
  }))
}
