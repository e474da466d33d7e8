import { customerAccount, type Transfer } from '../ledger/index.ts'
import type { WithdrawalRow } from './schema.ts'

/** The parts of an amount, from and to where they are. */
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
