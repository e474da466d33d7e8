import type { Networks } from '#lib/domain/chains/address.ts'
import type { WithdrawalLimits } from '#lib/domain/withdrawals/withdrawal.ts'
import type { RatesSource } from '../rates/index.ts'

export type WithdrawalSettings = {
  limits: WithdrawalLimits
  networks: Networks
  /** Contracts of tokens: what is sent to one is lost. */
  contracts: string[]
  rates: RatesSource
  /** The signer's public key. */
  proof: string
}
