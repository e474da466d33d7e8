/** `npm run payments`: lists the payments that fit no order; assigns one to an order or refunds it. */
import { parseArgs } from 'node:util'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import { assignPayment, type DecisionRefusal, DecisionRefused, refundPayment, undecidedPayments } from '../payments/index.ts'
import type { Context } from '../platform/context.ts'
import { onOrderCompleted } from './features.ts'
import { runWithPorts } from './tool.ts'

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

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { by: { type: 'string' }, why: { type: 'string' } }
})
const [command, payment, order] = positionals
const { by = '', why = '' } = values
const isComplete = /^\d{1,18}$/.test(payment ?? '') && /^[\w.@-]{1,60}$/.test(by) && why.trim() !== ''

if (command !== 'list' && !(isComplete && (command === 'refund' || (command === 'assign' && order)))) {
  console.error(USAGE)
  process.exit(2)
}

async function list({ db }: Context): Promise<void> {
  const waiting = await undecidedPayments(db)
  if (waiting.length === 0) console.log('Every payment is matched or decided.')
  for (const one of waiting) {
    const about = one.orderId ? `order ${groupReference(one.orderId)}` : 'no order'
    console.log(`${one.id}  ${one.bookedOn}  ${formatReceived(one)}  ${one.outcome}  ${about}`)
    console.log(`    from ${one.payerName}, ${one.payerIban}: ${one.remittance}`)
  }
}

await runWithPorts(async (context, { rates }) => {
  const decision = { paymentId: BigInt(payment ?? 0), actor: { kind: 'staff', id: by }, why: why.trim() } as const
  try {
    if (command === 'list') await list(context)
    else if (command === 'assign') {
      await assignPayment(context, { rates, onOrderCompleted }, { ...decision, orderId: (order ?? '').replace(/\s/g, '') })
      console.log('The order is completed, and the customer is told by mail.')
    } else {
      const refunded = await refundPayment(context, decision)
      console.log(`Now transfer ${formatReceived(refunded)} to ${refunded.payerName}, ${refunded.payerIban}.`)
      if (!refunded.orderId) console.log('It names no order of ours, so nobody is told by mail.')
    }
    return 0
  } catch (error) {
    if (!(error instanceof DecisionRefused)) throw error
    console.error(REFUSALS[error.reason])
    return 1
  }
})
