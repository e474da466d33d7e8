/** The ports to the outside world: real adapters in production, sandbox adapters otherwise. The others are not even loaded. */

import { type Chain, chainOf, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { type ChainNode, type ColdWallet, NodeError, type PlanSigner, type RefillFormat } from '../chains/index.ts'
import type { ChainsConfig } from '../chains/settings.ts'
import type { SandboxIdentity } from '../identity/adapters/sandbox.ts'
import type { IdentityProvider } from '../identity/index.ts'
import { contentfulSource } from '../news/adapters/contentful/source.ts'
import type { NewsSource } from '../news/index.ts'
import type { ContentfulConfig } from '../news/settings.ts'
import type { Bank } from '../payments/index.ts'
import type { Context } from '../platform/context.ts'
import type { Database } from '../platform/db/client.ts'
import type { Mailer } from '../platform/mail/port.ts'
import { onceMade } from '../platform/onceMade.ts'
import { judgedRates, type RatesSource } from '../rates/index.ts'
import type { NameScreen } from '../screening/index.ts'
import type { ScreeningConfig } from '../screening/settings.ts'
import type { Config } from './config.ts'

export type Ports = {
  mailer: Mailer
  rates: RatesSource
  bank: Bank
  identity: IdentityProvider
  /** Undefined: names are not looked up. */
  screen: NameScreen | undefined
  /** Undefined if no Contentful space is configured. */
  news: NewsSource | undefined
  /** Loaded when a job first asks for it: a process that only serves pages never loads a chain's libraries. */
  chainNode: (chain: Chain) => Promise<ChainNode>
  /** Needs the seed, so it works only in the signer. */
  planSigner: (chain: Chain) => Promise<PlanSigner>
  /** Undefined where the settings name no cold storage of the chain. */
  coldWallet: (chain: Chain) => Promise<ColdWallet | undefined>
  refillFormat: (chain: Chain) => Promise<RefillFormat>
}
/** The handles of the simulated outside world; undefined in production. */
export type SandboxWorld = { identity: SandboxIdentity; contentful: ContentfulConfig }
type Connected = { ports: Ports; world: SandboxWorld | undefined }
type Parts = Pick<Context, 'clock' | 'keyFor' | 'log'>

export function createPorts(config: Config, db: Database, parts: Parts): Promise<Connected> {
  return config.production ? realPorts(config, db, parts) : sandboxPorts(config, db, parts)
}

async function realPorts(config: Config, db: Database, { clock, log }: Parts): Promise<Connected> {
  const [{ smtpMailer }, { marketRates, secondPrices }, { folderBank }, { sumsubIdentity }] = await Promise.all([
    import('../platform/mail/smtp.ts'),
    import('../rates/adapters/market.ts'),
    import('../payments/adapters/folder.ts'),
    import('../identity/adapters/sumsub.ts')
  ])
  const ports: Ports = {
    mailer: smtpMailer(config.smtpUrl ?? '', { from: config.mailFrom, support: config.supportEmail }),
    rates: judgedRates({ db, clock, log }, marketRates(config.pricesUrl ?? '', clock), {
      second: config.secondPricesUrl ? secondPrices(config.secondPricesUrl) : undefined,
      isKeeper: config.role === 'worker' || config.role === 'all'
    }),
    bank: folderBank(config.bank, config.bankStatementsDir ?? '', log),
    identity: sumsubIdentity(config.identity, clock),
    screen: await screenOf(config.screening, { db, clock, log }),
    news: config.contentful && contentfulSource(config.contentful, { clock, fetch }),
    chainNode: onceEach((chain) => realNode(config.chains, chain)),
    planSigner: onceEach((chain) => realSigner(config.chains, chain)),
    coldWallet: onceEach((chain) => coldWalletOf(config.chains, chain)),
    refillFormat: onceEach((chain) => realRefills(config.chains, chain))
  }
  return { ports, world: undefined }
}

/** The list or the service of the settings. `sandboxList`: instead of none. */
async function screenOf(
  { isOff, list, watchman: address }: ScreeningConfig,
  parts: Pick<Context, 'db' | 'clock' | 'log'>,
  sandboxList?: () => Promise<string>
): Promise<NameScreen | undefined> {
  if (isOff) return undefined
  if (address) return (await import('../screening/adapters/watchman.ts')).watchman(address)
  const { keptList } = await import('../screening/adapters/keptList.ts')
  if (list) return keptList(parts, 'eu', (await import('../screening/adapters/source.ts')).listAt(list))
  return sandboxList && keptList(parts, 'sandbox', sandboxList)
}

/** One adapter per chain and process, because it caches what it learns from its node. */
function onceEach<T>(make: (chain: Chain) => Promise<T>): (chain: Chain) => Promise<T> {
  const made = new Map<Chain, () => Promise<T>>()
  return (chain) => {
    const get = made.get(chain) ?? onceMade(() => make(chain))
    made.set(chain, get)
    return get()
  }
}

async function realNode(config: ChainsConfig, chain: Chain): Promise<ChainNode> {
  const { nodes, secondNodes, confirmations } = config
  if (!nodes) throw new Error('This process was not told where the nodes are')
  const node = await nodeAt(config, chain, nodes[chain])
  const second = secondNodes[chain]
  if (!second) return node
  const { agreeingNode } = await import('../chains/adapters/agreeing.ts')
  const depths = DEPOSITABLE.filter((token) => chainOf(token) === chain).map((token) => confirmations[token])
  return agreeingNode(node, await nodeAt(config, chain, second), Math.max(...depths))
}

async function nodeAt({ networks, ethereum, cpcGenesis }: ChainsConfig, chain: Chain, url: string): Promise<ChainNode> {
  const onMissingTraces = () => {
    throw new NodeError(
      'The node has no trace_block: without it, ether that contracts pass on would be lost. Use a node with traces'
    )
  }
  if (chain === 'bitcoin') return (await import('../chains/adapters/bitcoin/node.ts')).bitcoinNode(url, networks.bitcoin)
  if (chain === 'ethereum')
    return (await import('../chains/adapters/ethereum/node.ts')).ethereumNode({ url, ...ethereum, onMissingTraces })
  return (await import('../chains/adapters/cpc/node.ts')).cpcNode(url, cpcGenesis)
}

async function realSigner({ seed, networks, ethereum }: ChainsConfig, chain: Chain): Promise<PlanSigner> {
  if (!seed) throw new Error('Only the signer has the seed')
  if (chain === 'bitcoin') return (await import('../chains/adapters/bitcoin/sign.ts')).bitcoinSigner(seed, networks.bitcoin)
  if (chain === 'ethereum')
    return (await import('../chains/adapters/ethereum/sign.ts')).ethereumSigner(seed, ethereum.chainId, ethereum.contracts)
  return (await import('../chains/adapters/cpc/sign.ts')).cpcSigner(seed)
}

/** Undefined where the settings name no cold storage of the chain. */
export async function coldWalletOf(
  { cold, networks, ethereum, cpcGenesis }: ChainsConfig,
  chain: Chain
): Promise<ColdWallet | undefined> {
  const key = cold.keys[chain]
  if (!key) return undefined
  if (chain === 'bitcoin') return (await import('../chains/adapters/bitcoin/cold.ts')).bitcoinColdWallet(key, networks.bitcoin)
  if (chain === 'ethereum') return (await import('../chains/adapters/ethereum/cold.ts')).ethereumColdWallet(key, ethereum.chainId)
  const network = { prefix: networks.cpcPrefix, genesis: cpcGenesis }
  return (await import('../chains/adapters/cpc/cold.ts')).cpcColdWallet(key, network)
}

async function realRefills({ networks, ethereum }: ChainsConfig, chain: Chain): Promise<RefillFormat> {
  if (chain === 'bitcoin') return (await import('../chains/adapters/bitcoin/cold.ts')).bitcoinRefills(networks.bitcoin)
  if (chain === 'ethereum')
    return (await import('../chains/adapters/ethereum/cold.ts')).ethereumRefills(ethereum.chainId, ethereum.contracts)
  return (await import('../chains/adapters/cpc/cold.ts')).cpcRefills(networks.cpcPrefix)
}

async function sandboxPorts(config: Config, db: Database, { clock, keyFor, log }: Parts): Promise<Connected> {
  const [{ sandboxMailer }, { sandboxRates }, { sandboxBank }, { sandboxIdentity }, { sandboxContentful, sandboxFetch }] =
    await Promise.all([
      import('../platform/mail/sandbox.ts'),
      import('../rates/adapters/sandbox.ts'),
      import('../payments/adapters/sandbox.ts'),
      import('../identity/adapters/sandbox.ts'),
      import('../news/adapters/sandbox/space.ts')
    ])
  const contentful = sandboxContentful(keyFor)
  const identity = sandboxIdentity(keyFor('sandbox-identity'), clock)
  const ports: Ports = {
    mailer: sandboxMailer(db, clock),
    rates: sandboxRates(clock),
    bank: sandboxBank(config.bank),
    identity,
    screen: await screenOf(
      config.screening,
      { db, clock, log },
      (await import('../screening/adapters/sandboxList.ts')).sandboxList(clock)
    ),
    news: contentfulSource(contentful, { clock, fetch: sandboxFetch(db, clock) }),
    chainNode: async (chain) => (await import('../chains/adapters/sandbox.ts')).sandboxChain({ db, clock }, chain),
    planSigner: async (chain) => (await import('../chains/adapters/sandbox.ts')).sandboxSigner(chain, clock),
    coldWallet: onceEach((chain) => coldWalletOf(config.chains, chain)),
    refillFormat: async (chain) => (await import('../chains/adapters/sandboxRefills.ts')).sandboxRefills(chain, clock)
  }
  return { ports, world: { identity, contentful } }
}
