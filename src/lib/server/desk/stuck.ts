/** Payments that no block takes: what staff see of them, and the orders that they sign with their passkeys. The signer checks each by itself. */
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { NATIVE } from '#lib/domain/chains/chains.ts'
import { type ChainOrderKind, orderChallenge, personsForOrder, type SendOrder } from '#lib/domain/chains/orders.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { decimal, toUnits } from '#lib/domain/money/decimal.ts'
import type { Once } from '#lib/domain/staff/challenge.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { keepOrder, type OpenSend, openSends, stuckAfterSeconds } from '../chains/index.ts'
import type { Context } from '../platform/context.ts'
import { challengeOf } from '../platform/webauthn.ts'
import {
  DeskError,
  decideBriefly,
  type Evidence,
  keepEntry,
  namesOf,
  type PasskeyAnswer,
  type Staff,
  staffActor,
  thoseWhoMay
} from '../staff/index.ts'
import { withdrawalWithEmail } from '../withdrawals/index.ts'
import { nameOf } from './names.ts'
import type { DeskSettings } from './settings.ts'

type Networks = Pick<DeskSettings['withdrawals'], 'networkNames'>

/** Payments that have waited for a block for longer than the signer waits before it raises the fee; oldest first. */
export async function stuckPayments({ db, clock }: Context): Promise<DeskAnswer<'listWithdrawals'>['stuck']> {
  const now = clock()
  const [open, names] = await Promise.all([openSends(db), namesOf(db)])
  return open
    .filter(({ send }) => now.getTime() - send.signedAt.getTime() > stuckAfterSeconds(send.chain) * 1000)
    .map(({ send, last, attempts, orders, mayOrder }) => ({
      id: send.id,
      purpose: send.purpose,
      chain: send.chain,
      currency: send.currency,
      amount: send.amount.toString(),
      receiver: send.receiver,
      nonce: last?.nonce?.toString() ?? null,
      attempts,
      fee: (last?.networkFee ?? 0n).toString(),
      cap: send.mostFee.toString(),
      signedAt: send.signedAt.toISOString(),
      error: last?.lastError ?? null,
      mayOrder,
      orders: orders.map((order) => ({
        kind: order.kind,
        mostFee: order.mostFee.toString(),
        actor: nameOf(names, order.actor),
        why: order.why,
        orderedAt: order.orderedAt.toISOString(),
        isOver: isOver(order.passkey, now),
        persons: personsOf(orders, order, now).size,
        personsNeeded: personsForOrder(order, send.mostFee)
      }))
    }))
}

const isOver = (passkey: PasskeyAnswer | null, now: Date) => passkey !== null && Number(passkey.expires) * 1000 <= now.getTime()

/** Who has signed the same, and whose signature still counts. */
const personsOf = (orders: OpenSend['orders'], { kind, mostFee }: SendOrder, now: Date) =>
  new Set(
    orders.filter((one) => one.kind === kind && one.mostFee === mostFee && !isOver(one.passkey, now)).map(({ actor }) => actor)
  )

/** Throws `not_found`, and `payment_not_stuck` where nothing can be ordered. */
async function orderable({ db }: Context, id: string): Promise<OpenSend> {
  const [found] = await openSends(db, id)
  if (!found) throw new DeskError('not_found')
  if (!found.mayOrder) throw new DeskError('payment_not_stuck')
  return found
}

type Ordered = { id: string; kind: ChainOrderKind; most: string }

function orderFrom({ send }: OpenSend, { id, kind, most }: Ordered): SendOrder {
  return { sendId: id, kind, mostFee: toUnits(decimal(most), decimalsOf(NATIVE[send.chain]), 'down') }
}

/** What the passkey signs. Throws as `orderable`. */
export async function challengeOfOrder(context: Context, { networkNames }: Networks, ordered: Ordered, once: Once) {
  const found = await orderable(context, ordered.id)
  return orderChallenge(networkNames[found.send.chain], orderFrom(found, ordered), once)
}

type Order = Ordered & { staff: Staff; why: string; evidence: Evidence }

/** Keeps an order with its signature. Throws `payment_not_stuck`, `approved_by_you`, `own_account`, `passkey_late`. */
export async function orderPayment(context: Context, { networkNames }: Networks, { staff, why, evidence, ...ordered }: Order) {
  const found = await orderable(context, ordered.id)
  const { send } = found
  if (send.purpose === 'withdrawal' && (await withdrawalWithEmail(context.db, send.id))?.email === staff.email)
    throw new DeskError('own_account')
  const order = orderFrom(found, ordered)
  const { once, key, answer } = evidence
  // Only what the signer will compute, too, is an order.
  const asked = once && orderChallenge(networkNames[send.chain], order, { expires: BigInt(once.expires), nonce: once.nonce })
  if (!once || !asked || challengeOf(answer) !== Buffer.from(asked).toString('base64url')) throw new DeskError('passkey_late')
  const right = order.kind === 'bump' ? 'bump_payment' : 'cancel_payment'
  const needed = personsForOrder(order, send.mostFee)
  const { clientDataJSON: clientData, authenticatorData, signature } = answer.response
  const persons = await decideBriefly(context, staff, right, async (work) => {
    const [now] = await openSends(work.tx, send.id)
    const signed = [...personsOf(now?.orders ?? [], order, work.now)].map((one) => one.replace(/^staff:/, ''))
    const before = await thoseWhoMay(work.tx, signed, right)
    const actor = staffActor(staff)
    if (before.has(staff.id)) throw new DeskError('approved_by_you')
    const passkey = { key: key.id, ...once, clientData, authenticatorData, signature }
    if (!(await keepOrder(work, order, { actor, why, passkey }))) throw new DeskError('payment_not_stuck')
    const most = `${formatExactUnits(order.mostFee, NATIVE[send.chain])} ${NATIVE[send.chain]}`
    await keepEntry(work, {
      actor,
      act: right,
      subject: `send:${send.id}`,
      why,
      details: { most, persons: before.size + 1, needed }
    })
    return before.size + 1
  })
  return {
    message:
      persons >= needed
        ? 'Ordered. The signer carries it out with its next run.'
        : 'Ordered by you. Another person must order the same, with the same fee.'
  }
}
