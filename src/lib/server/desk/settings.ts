/** What the desk is told by `app`. */

import type { Bank } from '../payments/index.ts'
import type { ActivitySource } from '../platform/activitySource.ts'
import type { Work } from '../platform/transaction.ts'
import type { WithdrawalSettings } from '../withdrawals/index.ts'

export type Alarm = {
  name: string
  says: string
  since: Date
  shown: string | null
  shownLimit: string | null
  takenBy: string | null
}
type RuleRun = {
  name: string
  rule: string
  ranAt: Date
  state: 'quiet' | 'raised' | 'unknown'
  says: string
  shown: string
  shownLimit: string
}

export type DeskSettings = {
  withdrawals: WithdrawalSettings
  /** The lines that each feature tells of a customer. */
  activity: ActivitySource[]
  bank: Bank
  /** What is wrong now, as `npm run health` says it, and every rule with what it found last. */
  faults: () => Promise<Alarm[]>
  rules: () => Promise<RuleRun[]>
  /** Notes who looks after an alarm; false if it is over. */
  takeAlarm: (work: Work, name: string, by: string) => Promise<boolean>
  deskOrigin: () => string
  /** Where the customers' product is, for links in mails to them. */
  customerOrigin: () => string
  /** Where replies of visitors go. */
  supportEmail: string
  keyRestHours: number
  /** What the signer signs in 24 hours, by this process's setting. */
  signerDayCents: bigint
}
