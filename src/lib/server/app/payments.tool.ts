/** `npm run payments`: lists the payments that fit no order. What becomes of them is decided at the desk. */
import { groupReference } from '#lib/domain/orders/reference.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import { undecidedPayments } from '../payments/index.ts'
import { rewardDebts } from '../referral/index.ts'
import { printable, runCommand } from './command.ts'

const USAGE = 'npm run payments -- list'

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
  }
})
