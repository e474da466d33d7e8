/**
 * The signer's part: it looks at every withdrawal again by rules of its own, whatever the database says, and signs what is right.
 * What it does not sign waits, and says why.
 */
import { and, asc, eq } from 'drizzle-orm'
import { readAddress } from '#lib/domain/chains/address.ts'
import { CHAINS, type Chain } from '#lib/domain/chains/chains.ts'
import { smallestWithdrawal, type WaitReason, WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { users } from '../access/index.ts'
import { NodeError, type Outcome, replaceStuck, type Signing, signSend } from '../chains/index.ts'
import { hasBooking } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import { AppError, UnavailableError } from '../platform/errors.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { type Rates, worthOf } from '../rates/index.ts'
import { mostFeeOf } from './fee.ts'
import { gateOf, refuseOurs, requireListed } from './gate.ts'
import { type WithdrawalRow, withdrawalAddresses, withdrawals } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'

const EVERY_SECONDS = 5
const AT_ONCE = 50
const DAY_MS = 24 * 3_600_000

const WAITS: Partial<Record<Outcome, WaitReason>> = { stopped: 'halted', network_fee: 'network_fee', hot_wallet: 'hot_wallet' }

/** Signs what is approved on a chain, oldest first. One that waits does not keep the others back, except where all must wait. */
export async function signApproved(context: Context, settings: WithdrawalSettings, signing: Signing): Promise<void> {
  const { db, log } = context
  const { chain } = signing.node
  const due = await db
    .select()
    .from(withdrawals)
    .where(and(eq(withdrawals.chain, chain), eq(withdrawals.state, 'approved')))
    .orderBy(asc(withdrawals.requestedAt))
    .limit(AT_ONCE)
  if (due.length === 0) return
  const rates = await settings.rates.current()
  for (const row of due) {
    const refusal = await refusalOf(context, settings, signing, rates, row)
    const outcome = refusal ?? (await signOne(context, signing, rates, row))
    const waits = outcome === 'signed' || outcome === 'behind' || outcome === 'gone' ? null : outcome
    if (waits !== row.waits && outcome !== 'signed') {
      if (waits) log.warn({ withdrawal: row.id, waits }, 'a withdrawal waits')
      await db
        .update(withdrawals)
        .set({ waits })
        .where(and(eq(withdrawals.id, row.id), eq(withdrawals.state, 'approved')))
    }
    if (outcome === 'behind' || outcome === 'halted') return
  }
}

/** Why the signer does not sign it, by rules that it checks itself. */
async function refusalOf(
  { db, clock, log }: Context,
  { networks, contracts, limits }: WithdrawalSettings,
  { journal }: Signing,
  rates: Rates,
  row: WithdrawalRow
): Promise<WaitReason | undefined> {
  const now = clock()
  const [user] = await db.select().from(users).where(eq(users.id, row.userId))
  const [address] = await db.select().from(withdrawalAddresses).where(eq(withdrawalAddresses.id, row.addressId))
  if (!user || !(await gateOf(db, user, now)).allowed) return 'gate'
  const read = readAddress(row.chain, row.receiver, networks)
  const isRight =
    !read.fault &&
    read.address === row.receiver &&
    address?.address === row.receiver &&
    address.userId === row.userId &&
    address.confirmedAt !== null &&
    row.fee === WITHDRAWAL_FEES[row.currency] &&
    row.amount >= smallestWithdrawal(row.currency) &&
    row.fromSpot + row.fromFunding === row.amount &&
    (await hasBooking(db, `withdrawal:${row.id}`)) &&
    (await isForeign(db, row, contracts))
  if (!isRight) {
    log.error({ withdrawal: row.id }, 'the signer refuses a withdrawal: its facts do not agree')
    return 'checked'
  }
  const listed = await requireListed(db, row.userId, address, now).then(
    () => true,
    () => false
  )
  if (!listed) return 'gate'
  const signed = journal.centsSince(new Date(now.getTime() - DAY_MS), row.id)
  return signed + worthOf(rates, row.currency, row.amount).usdCents > limits.signerDayCents ? 'signer_limit' : undefined
}

async function isForeign(db: Context['db'], { chain, receiver }: WithdrawalRow, contracts: string[]): Promise<boolean> {
  try {
    await refuseOurs(db, chain, receiver, contracts)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

async function signOne(
  context: Context,
  signing: Signing,
  rates: Rates,
  row: WithdrawalRow
): Promise<WaitReason | 'signed' | 'behind' | 'gone'> {
  const { id, receiver, currency, amount, fee } = row
  const outcome = await signSend(context, signing, {
    id,
    purpose: 'withdrawal',
    payout: { to: receiver, token: currency, amount: amount - fee },
    mostFee: mostFeeOf(rates, currency),
    cents: worthOf(rates, currency, amount).usdCents,
    claim: async ({ tx, now }) => {
      const [claimed] = await tx
        .update(withdrawals)
        .set({ state: 'signed', signedAt: now, waits: null })
        .where(
          and(
            eq(withdrawals.id, id),
            eq(withdrawals.state, 'approved'),
            eq(withdrawals.receiver, receiver),
            eq(withdrawals.amount, amount)
          )
        )
        .returning({ id: withdrawals.id })
      return claimed !== undefined
    }
  })
  return WAITS[outcome] ?? (outcome as 'signed' | 'behind' | 'gone')
}

/** One job a chain, in the signer. What the node or the prices keep from being done is done at the next turn. */
export function signJobs(
  context: Context,
  settings: WithdrawalSettings,
  signingOf: (chain: Chain) => Promise<Signing>
): JobKind[] {
  return CHAINS.map((chain) => ({
    name: `sign_${chain}`,
    role: 'signer',
    everySeconds: EVERY_SECONDS,
    run: async () => {
      try {
        const signing = await signingOf(chain)
        await signApproved(context, settings, signing)
        await replaceStuck(context, signing)
      } catch (error) {
        if (!(error instanceof NodeError || error instanceof UnavailableError)) throw error
        context.log.warn({ chain, err: error }, 'nothing can be signed at the moment')
      }
    }
  }))
}
