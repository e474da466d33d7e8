import type { Networks } from '#lib/domain/chains/address.ts'
import type { WithdrawalLimits } from '#lib/domain/withdrawals/withdrawal.ts'
import type { RatesSource } from '../rates/index.ts'

export type WithdrawalSettings = {
  limits: WithdrawalLimits
  networks: Networks
  /** Token contracts: coins sent to one are lost. */
  contracts: string[]
  rates: RatesSource
  /** The signer's public key. */
  proof: string
}
