import { customerAccount, type Transfer } from '../ledger/index.ts'
import type { WithdrawalRow } from './schema.ts'

/** The transfers of a withdrawal's amount from spot and funding to `outgoing`, or back. */
export function partsOf({ userId, currency, fromSpot, fromFunding }: WithdrawalRow, isBack: boolean): Transfer[] {
  const outgoing = customerAccount(userId, 'outgoing')
  const parts = [
    { account: customerAccount(userId, 'spot'), amount: fromSpot },
    { account: customerAccount(userId, 'funding'), amount: fromFunding }
  ]
  return parts
    .filter(({ amount }) => amount > 0n)
    .map(({ account, amount }) =>
      isBack
        ? { source: outgoing, destination: account, currency, amount }
        : { source: account, destination: outgoing, currency, amount }
    )
}
