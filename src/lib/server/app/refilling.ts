/** What a refill from cold storage works with, for the worker and for the command. */
import type { Chain } from '#lib/domain/chains/chains.ts'
import { RefillError, type Refilling } from '../chains/index.ts'
import type { ChainsConfig } from '../chains/settings.ts'
import { addressProof } from './chains.ts'
import type { Ports } from './ports.ts'

/** Throws RefillError where the settings name no cold storage. */
export async function refillingOf(chains: ChainsConfig, ports: Ports, chain: Chain): Promise<Refilling> {
  const wallet = await ports.coldWallet(chain)
  if (!wallet) throw new RefillError(`The settings name no cold storage of ${chain}: set COLD_${chain.toUpperCase()}`)
  const [node, format] = [await ports.chainNode(chain), await ports.refillFormat(chain)]
  return { node, format, proof: addressProof(chains), confirmations: chains.confirmations, wallet }
}
