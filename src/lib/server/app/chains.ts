/** What this process knows of the chains: the rules of deposits, what features do with blocks, and the seed where it has one. */
import { DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import type { DepositRules } from '#lib/domain/deposits/deposit.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { decimal, toUnits } from '#lib/domain/money/decimal.ts'
import { addressKey, type BlockListener, publicKeyOf, type Signer } from '../chains/index.ts'
import { type DepositSettings, depositListener } from '../deposits/index.ts'
import type { ChainsConfig } from '../platform/chainConfig.ts'
import { ConfigError } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'

/** The settings as rules: amounts in smallest units. */
function rulesOf({ smallestDeposits, confirmations }: ChainsConfig): DepositRules {
  const smallest = DEPOSITABLE.map((token) => [token, toUnits(decimal(smallestDeposits[token]), decimalsOf(token), 'up')])
  return { smallest: Object.fromEntries(smallest), confirmations }
}

type ChainParts = { deposits: DepositSettings; listeners: BlockListener[]; signer: Signer | undefined }

export function chainParts(context: Context, config: ChainsConfig): ChainParts {
  const { seed, networks, signerPublicKey } = config
  // The libraries that derive addresses are loaded when the first one is derived.
  const signer = seed && { seed, makers: async () => (await import('../chains/makers.ts')).addressMakers(seed, networks) }
  const own = seed && publicKeyOf(addressKey(seed))
  if (own && signerPublicKey && own !== signerPublicKey)
    throw new ConfigError([`SIGNER_PUBLIC_KEY is that of another seed: this one's is ${own}`])
  const proof = own ?? signerPublicKey ?? ''
  const deposits = { ...rulesOf(config), proof }
  return { deposits, listeners: [depositListener(context, deposits)], signer }
}
