/** The settings of the chains. */
import { readFileSync, statSync } from 'node:fs'
import { CHAINS, type Chain } from '#lib/domain/chains/chains.ts'
import { type Asked, checkOutside, type Environment } from '../platform/config.ts'
import { type ColdConfig, readColdConfig } from './cold/settings.ts'

export type ChainsConfig = {
  /** URLs of the nodes; undefined in the sandbox, and in a process that only serves pages. */
  nodes: { bitcoin: string; ethereum: string; cpc: string } | undefined
  /** URLs of second, independent nodes, which must agree with the first ones. */
  secondNodes: Partial<Record<Chain, string>>
  /** The Ethereum network, and the contracts of the tokens that we support, by code. */
  ethereum: { chainId: number; contracts: { USDC: string } }
  /** `cpcPrefix`: the prefix of account numbers on the CPC chain. */
  networks: { bitcoin: 'main' | 'test' | 'regtest'; cpcPrefix: string }
  /** The id of the first block of the CPC chain; if undefined, the node's network is not checked. */
  cpcGenesis: string | undefined
  /** By token: the smallest deposit as decimal text, and the blocks that confirm a deposit. */
  smallestDeposits: Record<Token, string>
  confirmations: Record<Token, number>
  /** The public key that verifies the signatures of our addresses (64 hexadecimal digits); a process with the seed derives it. */
  signerPublicKey: string | undefined
  /** Only in the signer and in the sandbox. */
  seed: Uint8Array | undefined
  /** How many addresses of each chain are derived ahead. */
  poolSize: number
  /**
   * Whole USD: what a customer may withdraw in 24 hours, the amount above which an operator approves, what the signer signs in 24
   * hours, and what the hot wallet of a token may hold.
   */
  usd: { day: number; dayMost: number; approvalAbove: number; signerDay: number; hotCeiling: number }
  cold: ColdConfig
  /** The file in which the signer records what it has signed; undefined keeps that in memory. */
  signerJournal: string | undefined
  /** URL of a transaction in a block explorer, by chain; `{id}` stands for its id. Empty if there is none. */
  explorers: { bitcoin: string; ethereum: string; cpc: string }
}

const TOKENS = ['BTC', 'ETH', 'USDC', 'CPC'] as const
type Token = (typeof TOKENS)[number]

/** Public, so it must never hold real coins. */
const SANDBOX_SEED = '53616e64626f782073656564206f6620746865207061636b6167652077616c6c6574'
const SEED = /^([0-9a-f]{2}){32,64}$/i
const PUBLIC_KEY = /^[0-9a-f]{64}$/i
const BITCOIN_NETWORKS = ['main', 'test', 'regtest'] as const
/** Source: ADR 0024. */
const SMALLEST: Record<Token, string> = { BTC: '0.0001', ETH: '0.002', USDC: '5', CPC: '20' }
const CONFIRMATIONS: Record<Token, number> = { CPC: 10, BTC: 3, ETH: 12, USDC: 12 }
const MOST_CONFIRMATIONS = 90
const MOST_USD = 1_000_000_000
const EXPLORERS = {
  bitcoin: 'https://mempool.space/tx/{id}',
  ethereum: 'https://etherscan.io/tx/{id}',
  cpc: ''
}
const USDC_ON_ETHEREUM = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const SECOND_NODES: Record<Chain, string> = {
  bitcoin: 'SECOND_BITCOIN_RPC_URL',
  ethereum: 'SECOND_ETHEREUM_RPC_URL',
  cpc: 'SECOND_CPC_API_URL'
}
const NODES = {
  BITCOIN_RPC_URL: "Bitcoin Core's JSON-RPC, e.g. http://user:password@127.0.0.1:8332/",
  ETHEREUM_RPC_URL: "an Ethereum node's JSON-RPC, e.g. http://127.0.0.1:8545/",
  CPC_API_URL: "a CPC node's HTTP API, e.g. http://127.0.0.1:7876/nxt"
}
const POOL_SIZE = { production: 200, sandbox: 12 }

function smallestOf(env: Environment, token: Token, problems: string[]): string {
  const name = `SMALLEST_DEPOSIT_${token}`
  const text = env[name] || SMALLEST[token]
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(text) || /^[0.]+$/.test(text))
    problems.push(`${name} must be an amount above zero with at most 6 digits after the point, not "${text}"`)
  return text
}

function confirmationsOf(env: Environment, token: Token, problems: string[]): number {
  const name = `CONFIRMATIONS_${token}`
  const value = Number(env[name] || CONFIRMATIONS[token])
  // Fewer than the blocks that we keep: a reorganisation of a credited block must be noticed.
  if (Number.isInteger(value) && value >= 1 && value <= MOST_CONFIRMATIONS) return value
  problems.push(`${name} must be a whole number from 1 to ${MOST_CONFIRMATIONS}, not "${env[name]}"`)
  return CONFIRMATIONS[token]
}

/** Others than the owner of a file may read it. */
const READ_BY_OTHERS = 0o077

/** A file, because every process of the user can read the environment of another one, and crash reports hold it. */
function readSeedFile(env: Environment, problems: string[]): string | undefined {
  const file = env.SIGNER_SEED_FILE
  if (env.SIGNER_SEED) problems.push('SIGNER_SEED is read outside production only: put the seed into a file, SIGNER_SEED_FILE')
  if (!file) {
    problems.push('SIGNER_SEED_FILE is missing: a file with the seed that only the signer may read (mode 0400)')
    return undefined
  }
  try {
    if (statSync(file).mode & READ_BY_OTHERS) problems.push(`SIGNER_SEED_FILE: others may read ${file}: chmod 0400`)
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    problems.push(`SIGNER_SEED_FILE: ${file} cannot be read (${error instanceof Error ? error.message : error})`)
    return undefined
  }
}

function readSeed(env: Environment, { role, production, problems }: Asked): Uint8Array | undefined {
  const text = production && role === 'signer' ? readSeedFile(env, problems) : env.SIGNER_SEED || SANDBOX_SEED
  if (production && role !== 'signer') {
    for (const name of ['SIGNER_SEED', 'SIGNER_SEED_FILE'])
      if (env[name]) problems.push(`${name} must be given to the process with ROLE=signer alone, not to ROLE=${role}`)
    return undefined
  }
  if (text === undefined) return undefined
  if (!SEED.test(text) || (production && (text === SANDBOX_SEED || new Set(text).size < 8))) {
    problems.push(
      'The seed in SIGNER_SEED_FILE is missing or weak: 32 to 64 random bytes in hexadecimal, from `openssl rand -hex 64`'
    )
    return undefined
  }
  return Buffer.from(text, 'hex')
}

function readSecondNodes(env: Environment, problems: string[]): ChainsConfig['secondNodes'] {
  return Object.fromEntries(
    CHAINS.flatMap((chain) => {
      const name = SECOND_NODES[chain]
      checkOutside(env, name, problems)
      return env[name] ? [[chain, env[name]]] : []
    })
  )
}

function readNodes(env: Environment, { role, production, problems }: Asked): ChainsConfig['nodes'] {
  if (!production || role === 'web' || role === 'desk') return undefined
  for (const [name, what] of Object.entries(NODES)) {
    if (!env[name]) problems.push(`${name} is missing: ${what}`)
    checkOutside(env, name, problems)
  }
  return { bitcoin: env.BITCOIN_RPC_URL ?? '', ethereum: env.ETHEREUM_RPC_URL ?? '', cpc: env.CPC_API_URL ?? '' }
}

function readEthereum(env: Environment, problems: string[]): ChainsConfig['ethereum'] {
  const chainId = Number(env.ETHEREUM_CHAIN_ID || 1)
  if (!Number.isInteger(chainId) || chainId < 1) problems.push('ETHEREUM_CHAIN_ID must be a whole number above zero')
  const USDC = env.USDC_CONTRACT || (chainId === 1 ? USDC_ON_ETHEREUM : '')
  if (!/^0x[0-9a-f]{40}$/i.test(USDC)) problems.push("USDC_CONTRACT is missing: the token's contract on this network")
  return { chainId, contracts: { USDC } }
}

function readUsd(env: Environment, { production, problems }: Asked): ChainsConfig['usd'] {
  const whole = (name: string, fallback: number) => {
    const value = Number(env[name] || fallback)
    if (!Number.isInteger(value) || value < 0 || value > MOST_USD)
      problems.push(`${name} must be a whole number of USD, not "${env[name]}"`)
    return value
  }
  const day = whole('WITHDRAWAL_DAY_USD', 10_000)
  // The sandbox lets limits be raised, so that it can be tried.
  const dayMost = whole('WITHDRAWAL_DAY_MOST_USD', production ? day : Math.max(day, 50_000))
  if (dayMost < day) problems.push('WITHDRAWAL_DAY_MOST_USD must not be below WITHDRAWAL_DAY_USD')
  return {
    day,
    dayMost,
    approvalAbove: whole('WITHDRAWAL_APPROVAL_USD', 5_000),
    signerDay: whole('SIGNER_DAY_USD', 50_000),
    hotCeiling: whole('HOT_WALLET_CEILING_USD', 100_000)
  }
}

function readExplorers(env: Environment, problems: string[]): ChainsConfig['explorers'] {
  const read = (chain: keyof typeof EXPLORERS) => {
    const name = `EXPLORER_${chain.toUpperCase()}`
    const url = env[name] || EXPLORERS[chain]
    if (url !== '' && !/^https:\/\/.+\{id\}/.test(url)) problems.push(`${name} must start with https:// and hold {id}`)
    return url
  }
  return { bitcoin: read('bitcoin'), ethereum: read('ethereum'), cpc: read('cpc') }
}

function readJournal(env: Environment, { role, production, problems }: Asked): string | undefined {
  if (production && role === 'signer' && !env.SIGNER_JOURNAL)
    problems.push('SIGNER_JOURNAL is missing: the file in which the signer writes down what it has signed, on a disk of its own')
  return env.SIGNER_JOURNAL || undefined
}

export function readChainsConfig(env: Environment, asked: Asked): ChainsConfig {
  const { role, production, problems } = asked
  const bitcoin = BITCOIN_NETWORKS.find((one) => one === (env.BITCOIN_NETWORK || (production ? 'main' : 'regtest')))
  if (!bitcoin) problems.push(`BITCOIN_NETWORK must be ${BITCOIN_NETWORKS.join(', ')}, not "${env.BITCOIN_NETWORK}"`)
  const cpcPrefix = env.CPC_PREFIX || 'CPC'
  if (!/^[A-Z]{1,6}$/.test(cpcPrefix)) problems.push(`CPC_PREFIX must be 1 to 6 capital letters, not "${cpcPrefix}"`)
  if (env.CPC_GENESIS && !/^\d{1,20}$/.test(env.CPC_GENESIS))
    problems.push(`CPC_GENESIS must be the id of a block, not "${env.CPC_GENESIS}"`)
  if (production && role !== 'web' && !env.CPC_GENESIS)
    problems.push(
      'CPC_GENESIS is missing: the id of the first block of the CPC network, so that coins of a test network do not count'
    )
  const seed = readSeed(env, asked)
  const signerPublicKey = env.SIGNER_PUBLIC_KEY || undefined
  if (production && role !== 'signer' && !PUBLIC_KEY.test(signerPublicKey ?? ''))
    problems.push('SIGNER_PUBLIC_KEY is missing: 64 hexadecimal digits, which the signer writes to its log when it starts')
  const each = <T>(read: (env: Environment, token: Token, problems: string[]) => T) =>
    Object.fromEntries(TOKENS.map((token) => [token, read(env, token, problems)])) as Record<Token, T>
  return {
    nodes: readNodes(env, asked),
    secondNodes: readSecondNodes(env, problems),
    ethereum: readEthereum(env, problems),
    usd: readUsd(env, asked),
    cold: readColdConfig(env, problems),
    signerJournal: readJournal(env, asked),
    explorers: readExplorers(env, problems),
    networks: { bitcoin: bitcoin ?? 'main', cpcPrefix },
    cpcGenesis: env.CPC_GENESIS || undefined,
    smallestDeposits: each(smallestOf),
    confirmations: each(confirmationsOf),
    signerPublicKey,
    seed,
    poolSize: production ? POOL_SIZE.production : POOL_SIZE.sandbox
  }
}

/** What tells each network from every other, e.g. `ethereum 1`: an approval is for one of them. */
export function networkNamesOf({ networks, ethereum, cpcGenesis }: ChainsConfig): Record<Chain, string> {
  const names: Record<Chain, string> = {
    bitcoin: networks.bitcoin,
    ethereum: String(ethereum.chainId),
    cpc: `${networks.cpcPrefix} ${cpcGenesis ?? ''}`.trim()
  }
  return Object.fromEntries(CHAINS.map((chain) => [chain, `${chain} ${names[chain]}`])) as Record<Chain, string>
}
