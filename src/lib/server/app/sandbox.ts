/** The data and actions of the page `/sandbox`: the outside world, simulated. Never composed in production. */

import { randomUUID } from 'node:crypto'
import { desc, eq, inArray } from 'drizzle-orm'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { powerOfTen } from '#lib/domain/money/decimal.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { TIME_TRAVELS, users } from '../access/index.ts'
import { endQuarter } from '../documents/index.ts'
import { DECISIONS, type Decision, type SandboxIdentity } from '../identity/adapters/sandbox.ts'
import { receiveIdentityEvent } from '../identity/index.ts'
import type { editorsDesk } from '../news/adapters/sandbox/desk.ts'
import { orders } from '../orders/index.ts'
import {
  assignPayments,
  type BankEntry,
  DecisionRefused,
  type PaymentHooks,
  payments,
  receiveEntry,
  refundPayment
} from '../payments/index.ts'
import type { Company } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { sandboxMails } from '../platform/db/schema.ts'
import { MAIL_STYLE } from '../platform/mail/layout.ts'
import { utcDay } from '../rates/index.ts'
import { fillFund, payDue } from '../staking/index.ts'
import type { Ports } from './ports.ts'
import type { sandboxChains } from './sandboxChains.ts'
import type { sandboxTrader } from './sandboxTrader.ts'

const MAILS_SHOWN = 14
const TRANSFERS_SHOWN = 12
const ENTRIES_SHOWN = 7
/** More than a quarter ago, so that a staked package has a reward due. */
const PAST_MS = 100 * 86_400_000
/** What the fund gets of each token that can be staked, in whole coins. */
const FUND_COINS = 1_000_000_000n

const ARRIVALS = ['exact', 'less', 'more', 'twice', 'again', 'mangled'] as const
export type Arrival = (typeof ARRIVALS)[number]

export type Sandbox = ReturnType<typeof createSandbox>

type SandboxChains = ReturnType<typeof sandboxChains>
type Outside = {
  identity: SandboxIdentity
  chains: SandboxChains
  trader: ReturnType<typeof sandboxTrader>
  editor: ReturnType<typeof editorsDesk>
  deliverMail: () => Promise<void>
  issuer: Company
}

export function createSandbox(
  context: Context,
  { rates, hooks }: Pick<Ports, 'rates'> & { hooks: PaymentHooks },
  { identity, chains, trader, editor, deliverMail, issuer }: Outside
) {
  const { db, clock } = context
  const arrive = (entry: BankEntry) => receiveEntry(context, { rates, ...hooks }, entry)

  async function openTransfers() {
    return db
      .select({
        id: orders.id,
        email: users.email,
        status: orders.status,
        euroCentsToPay: orders.euroCentsToPay,
        createdAt: orders.createdAt
      })
      .from(orders)
      .innerJoin(users, eq(users.id, orders.userId))
      .where(inArray(orders.status, [ORDER_STATUS.pending, ORDER_STATUS.processing]))
      .orderBy(desc(orders.createdAt))
      .limit(TRANSFERS_SHOWN)
  }

  /** Lets a payment for an order arrive as a bank would deliver it; `undefined` if there is no such order. */
  async function payOrder(orderId: string, arrival: Arrival | 'past'): Promise<true | undefined> {
    const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
    if (!order) return undefined
    const bookedAt = arrival === 'past' ? new Date(clock().getTime() - PAST_MS) : clock()
    const entry = entryFor(order, utcDay(bookedAt))
    if (arrival === 'less') await arrive({ ...entry, amountCents: order.euroCentsToPay - 1n })
    else if (arrival === 'more') await arrive({ ...entry, amountCents: order.euroCentsToPay + 1n })
    else if (arrival === 'mangled') await arrive({ ...entry, remittance: mangle(order.id) })
    else await arrive(entry)
    if (arrival === 'twice') await arrive({ ...entry, entryId: randomUUID() })
    if (arrival === 'again') await arrive(entry)
    return true
  }

  /** Decides the identity check of a link's customer; false for an expired link or an unknown decision. */
  async function decideIdentity(
    token: string,
    decision: string,
    name: { firstName: string; lastName: string; dob?: string }
  ): Promise<boolean> {
    const applicant = await identity.readLink(token)
    if (!applicant || !isDecision(decision)) return false
    await receiveIdentityEvent(context, identity, identity.decide(applicant, decision, name))
    return true
  }

  /** Decides about a payment that fits no order, as an operator; false if the rules refuse it. */
  async function decidePayment(paymentId: bigint, decision: string): Promise<boolean> {
    const [payment] = await db.select().from(payments).where(eq(payments.id, paymentId))
    const made = { paymentId, actor: { kind: 'staff', id: 'sandbox' }, why: 'Decided in the sandbox.' } as const
    try {
      if (decision === 'refund') await refundPayment(context, made)
      else if (payment?.orderId)
        await assignPayments(context, { rates, ...hooks }, { ...made, paymentIds: [paymentId], orderId: payment.orderId })
      else return false
      return true
    } catch (error) {
      if (error instanceof DecisionRefused) return false
      throw error
    }
  }

  /**
   * Books the payment of an order as of a quarter ago, fills the fund of staking rewards and pays what is due; false if there is no
   * such order.
   */
  async function payStaking(orderId: string): Promise<boolean> {
    if (!(await payOrder(orderId, 'past'))) return false
    for (const currency of ['CPC', 'PTC'])
      await fillFund(context, {
        currency,
        units: FUND_COINS * powerOfTen(decimalsOf(currency)),
        reference: `sandbox-${randomUUID()}`,
        actor: { kind: 'system', id: 'sandbox' }
      })
    await payDue(context)
    return true
  }

  /** Makes an account look as if time had passed, by a name of `TIME_TRAVELS`; false for an unknown address or name. */
  async function letTimePass(email: string, what: string): Promise<boolean> {
    const [user] = await db.select().from(users).where(eq(users.email, email))
    if (!user || !isTimeTravel(what)) return false
    await TIME_TRAVELS[what](context, user)
    return true
  }

  return {
    chains,
    trader,
    editor,
    decidePayment,
    letTimePass,
    payStaking,
    endQuarter: () => endQuarter(context, issuer),
    applicantOf: identity.readLink,
    decideIdentity,
    deliverMail,
    mailStyle: MAIL_STYLE,
    openTransfers,
    payOrder,
    mails: () => db.select().from(sandboxMails).orderBy(desc(sandboxMails.id)).limit(MAILS_SHOWN),
    mail: async (id: bigint) => (await db.select().from(sandboxMails).where(eq(sandboxMails.id, id)))[0],
    entries: () => db.select().from(payments).orderBy(desc(payments.id)).limit(ENTRIES_SHOWN)
  }
}

function isTimeTravel(text: string): text is keyof typeof TIME_TRAVELS {
  return Object.hasOwn(TIME_TRAVELS, text)
}

function isDecision(text: string): text is Decision {
  return Object.hasOwn(DECISIONS, text)
}

function entryFor(order: { id: string; euroCentsToPay: bigint }, today: string): BankEntry {
  return {
    entryId: randomUUID(),
    direction: 'credit',
    bookedOn: today,
    valueOn: today,
    amountCents: order.euroCentsToPay,
    currency: 'EUR',
    remittance: `Order ${groupReference(order.id)}`,
    payerName: 'Sandbox Payer',
    payerIban: 'AT61 1904 3002 3457 3201'
  }
}

/** Swaps two neighbouring digits, the most common typing error: the check digits detect it. */
function mangle(reference: string): string {
  for (let at = 4; at < reference.length - 1; at += 1) {
    if (reference[at] !== reference[at + 1]) {
      return `${reference.slice(0, at)}${reference[at + 1]}${reference[at]}${reference.slice(at + 2)}`
    }
  }
  return reference.slice(0, -1)
}
