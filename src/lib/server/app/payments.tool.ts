/** `npm run payments`: lists the payments that fit no order; assigns one to an order or refunds it. */
import { groupReference } from '#lib/domain/orders/reference.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import { assignPayment, type DecisionRefusal, DecisionRefused, refundPayment, undecidedPayments } from '../payments/index.ts'
import { rewardDebts } from '../referral/index.ts'
import { printable, runCommand } from './command.ts'
import { processConfig } from './config.ts'
import { paymentHooks } from './features.ts'

const USAGE = `npm run payments -- list
npm run payments -- assign PAYMENT ORDER --by NAME --why "REASON"
npm run payments -- refund PAYMENT --by NAME --why "REASON"

A refund is written down here; make the transfer at the bank as well. NAME and REASON are kept, and the customer reads the
reason of a refund.`

const REFUSALS: Record<DecisionRefusal, string> = {
  payment_not_found: 'There is no such payment that fits no order.',
  already_decided: 'Somebody has decided this payment already.',
  sent_back: 'The bank has sent this payment back already.',
  order_not_found: 'There is no such order.',
  wrong_currency: 'The payment is not in EUR.',
  order_not_open: 'The order is completed already.',
  too_little: 'The payment is more than 2% short of the order.',
  not_verified: "The customer's identity check is not completed."
}

const isPayment = (text: string) => /^\d{1,18}$/.test(text)
const isGiven = (text: string) => text !== ''

/** Prints why a decision is refused, and answers the exit code. */
async function decided(decide: () => Promise<void>): Promise<number> {
  try {
    await decide()
    return 0
  } catch (error) {
    if (!(error instanceof DecisionRefused)) throw error
    console.error(REFUSALS[error.reason])
    return 1
  }
}

await runCommand(USAGE, {
  list: {
    run: async ({ db }) => {
      const waiting = await undecidedPayments(db)
      if (waiting.length === 0) console.log('Every payment is matched or decided.')
      for (const one of waiting) {
        const about = one.orderId ? `order ${groupReference(one.orderId)}` : 'no order'
        console.log(`${one.id}  ${one.bookedOn}  ${formatReceived(one)}  ${one.outcome}  ${about}`)
        // The payer wrote it: a line break or an escape sequence in it could forge a line of this list.
        console.log(`    from ${printable(one.payerName)}, ${printable(one.payerIban)}: ${printable(one.remittance)}`)
      }
      for (const { email, orderId, currency, owed, takenBackAt } of await rewardDebts(db))
        console.log(
          `${email} owes ${formatExactUnits(owed, currency)} ${currency}: the reward for order ${groupReference(orderId)}, whose payment was taken back on ${takenBackAt?.toISOString().slice(0, 10)}`
        )
      return 0
    }
  },
  assign: {
    words: [isPayment, isGiven],
    signed: 'decision',
    run: (context, { words: [payment = '', order = ''], actor, why }, { rates }) =>
      decided(async () => {
        const decision = { paymentId: BigInt(payment), orderId: order.replace(/\s/g, ''), actor, why }
        await assignPayment(context, { rates, ...paymentHooks(processConfig()) }, decision)
        console.log('The order is completed, and the customer is told by mail.')
      })
  },
  refund: {
    words: [isPayment],
    signed: 'decision',
    run: (context, { words: [payment = ''], actor, why }) =>
      decided(async () => {
        const refunded = await refundPayment(context, { paymentId: BigInt(payment), actor, why })
        console.log(
          `Now transfer ${formatReceived(refunded)} to ${printable(refunded.payerName ?? '?')}, ${printable(refunded.payerIban ?? '?')}.`
        )
        if (!refunded.orderId) console.log('It names no order of ours, so nobody is told by mail.')
      })
  }
})
