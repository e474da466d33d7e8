/** What the desk is told by `app`. */
import type { Bank } from '../payments/index.ts'
import type { WithdrawalSettings } from '../withdrawals/index.ts'

export type DeskSettings = {
  withdrawals: WithdrawalSettings
  bank: Bank
  /** What is wrong now, as `npm run health` says it. */
  faults: () => Promise<{ name: string; says: string; since?: Date }[]>
  deskOrigin: () => string
  keyRestHours: number
}
