/** What the features of a process are built from. */

import { type BookFeed, createBookFeed, type P2pSettings, p2pSettings } from '../p2p/index.ts'
import type { Context } from '../platform/context.ts'
import type { Connection } from '../platform/db/client.ts'
import { type ChainParts, chainParts } from './chains.ts'
import type { Config } from './config.ts'
import type { Ports } from './ports.ts'

export type Parts = {
  context: Context
  config: Config
  ports: Ports
  chains: ChainParts
  p2p: P2pSettings
  bookFeed: BookFeed
  /** The origin of the product's own pages, where it is configured. */
  publicOrigin: string | undefined
}

export function createParts(context: Context, config: Config, ports: Ports, listen: Connection['listen']): Parts {
  const chains = chainParts(context, config, ports)
  return {
    context,
    config,
    ports,
    chains,
    p2p: p2pSettings(config.p2p, ports.rates, chains.withdrawals.limits.dayCents),
    bookFeed: createBookFeed(context, listen),
    publicOrigin: config.publicUrl && new URL(config.publicUrl).origin
  }
}
