/** This process's settings of the chains: rules of deposits and withdrawals, listeners for blocks, and the seed if it has one. */
import { CHAINS, type Chain, DEPOSITABLE, inEachToken } from '#lib/domain/chains/chains.ts'
import type { DepositRules } from '#lib/domain/deposits/deposit.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { decimal, toUnits } from '#lib/domain/money/decimal.ts'
import {
  addressKey,
  type Following,
  type Journal,
  openJournal,
  requireWholeJournal,
  type Signer,
  type Signing
} from '../chains/index.ts'
import { type ChainsConfig, networkNamesOf } from '../chains/settings.ts'
import { type DepositSettings, depositListener } from '../deposits/index.ts'
import { ConfigError } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { privateKey, publicKeyOf } from '../platform/ed25519.ts'
import { type HeadSigner, keysForSigner, type ListedKey, staffKeysOfFile, stoppedPersons } from '../staff/index.ts'
import {
  type ColdSettings,
  coldListener,
  returnListener,
  type WithdrawalSettings,
  withdrawalListener
} from '../withdrawals/index.ts'
import type { Config } from './config.ts'
import type { Ports } from './ports.ts'

const CENTS = 100n
/** A price may rise by this much, in percent, between a request and its signing. */
const PRICE_ROOM = 130n
const PERCENT = 100n

/** The rules of deposits from the settings; amounts in smallest units. */
function rulesOf({ smallestDeposits, confirmations }: ChainsConfig): DepositRules {
  const smallest = DEPOSITABLE.map((token) => [token, toUnits(decimal(smallestDeposits[token]), decimalsOf(token), 'up')])
  return { smallest: Object.fromEntries(smallest), confirmations }
}

export type ChainParts = {
  /** USD cents that the hot wallet of a token may hold. */
  ceilingCents: bigint
  cold: ColdSettings
  deposits: DepositSettings
  withdrawals: WithdrawalSettings
  following: Following
  signer: Signer | undefined
  /** Only in a process that has the seed. */
  signingOf: ((chain: Chain) => Promise<Signing>) | undefined
  /** Signs the audit log of staff; only in a process that has the seed. */
  headSigner: HeadSigner | undefined
  /** Throws JournalError if the signer's journal is kept in a file that is not whole. Asked before the process starts its work, and at each turn of it. */
  requireJournal: () => Promise<void>
  close: () => void
}

/** The public key that verifies our addresses: that of the seed, if this process has it. */
export function addressProof({ seed, signerPublicKey }: Pick<ChainsConfig, 'seed' | 'signerPublicKey'>): string {
  const own = seed && publicKeyOf(addressKey(seed))
  if (own && signerPublicKey && own !== signerPublicKey)
    throw new ConfigError([`SIGNER_PUBLIC_KEY is that of another seed: this one's is ${own}`])
  return own ?? signerPublicKey ?? ''
}

/** The key of our addresses signs the audit log too; what was signed is kept in the journal, which the database cannot change. */
function headSignerOf(seed: Uint8Array, journal: Journal): HeadSigner {
  const key = privateKey(addressKey(seed))
  return { publicKey: key.publicKey, sign: key.sign, last: journal.lastAuditHead, keep: journal.keepAuditHead }
}

/** The signer's list of passkeys: its own file. The sandbox without one takes those of the desk, so that all can be tried without a second file. */
function staffKeysOf({ db }: Context, file: string | undefined, production: boolean): () => Promise<ListedKey[]> {
  const listed = file ? staffKeysOfFile(file) : async () => (production ? [] : keysForSigner(db))
  // A person who was stopped at the desk is left out. The database can only remove people here: the file says who is on the list.
  return async () => {
    const [keys, stopped] = await Promise.all([listed(), stoppedPersons(db)])
    return keys.filter(({ person }) => !stopped.has(person))
  }
}

export function chainParts(
  context: Context,
  { role, production, chains: config, withdrawals: rules }: Config,
  ports: Ports
): ChainParts {
  const { seed, networks, usd, ethereum, confirmations } = config
  // The libraries that derive addresses are loaded when the first one is derived.
  const signer = seed && {
    seed,
    coldWallets: async () => (await Promise.all(CHAINS.map(ports.coldWallet))).filter((wallet) => wallet !== undefined),
    makers: async () => (await import('../chains/adapters/makers.ts')).addressMakers(seed, networks)
  }
  const proof = addressProof(config)
  const deposits = { ...rulesOf(config), proof }
  const withdrawals: WithdrawalSettings = {
    limits: {
      dayCents: BigInt(usd.day) * CENTS,
      mostCents: BigInt(usd.dayMost) * CENTS,
      approvalAboveCents: BigInt(usd.approvalAbove) * CENTS
    },
    networks,
    networkNames: networkNamesOf(config),
    contracts: Object.values(ethereum.contracts),
    contractOf: ethereum.contracts,
    rates: ports.rates,
    proof,
    operatorKeys: rules.operatorKeys,
    staffKeys: staffKeysOf(context, rules.staffKeysFile, production),
    signerTwoAboveCents: rules.signerTwoAboveCents,
    signerFileAboveCents: rules.signerFileAboveCents,
    owedMost: rules.owedMost
  }
  const limits = {
    dayCents: BigInt(usd.signerDay) * CENTS,
    customerDayCents: (withdrawals.limits.mostCents * PRICE_ROOM) / PERCENT,
    coins: rules.signerCoins,
    newPercent: rules.signerNewPercent,
    cold: inEachToken((token) => config.cold.coins[token].day)
  }
  // In the sandbox every process knows the seed, but one that does not sign leaves the journal alone.
  const signs = role === 'signer' || role === 'all'
  const journal = signs && seed ? openJournal(config.signerJournal) : undefined
  const keptJournal = config.signerJournal ? journal : undefined
  /** Again before each turn: another signer, with another journal, may have signed meanwhile. */
  let lookedAt = 0n
  const requireJournal = async () => {
    if (keptJournal) lookedAt = await requireWholeJournal(context.db, keptJournal, lookedAt)
  }
  const signingOf =
    journal &&
    (async (chain: Chain): Promise<Signing> => {
      await requireJournal()
      return {
        node: await ports.chainNode(chain),
        sign: await ports.planSigner(chain),
        journal,
        proof,
        confirmations,
        limits,
        operatorKeys: rules.operatorKeys,
        staffKeys: withdrawals.staffKeys,
        network: withdrawals.networkNames[chain]
      }
    })
  const following = {
    blocks: [depositListener(context, deposits)],
    sends: [withdrawalListener(context), coldListener, returnListener(context)],
    confirmations
  }
  const ceilingCents = BigInt(usd.hotCeiling) * CENTS
  const cold = {
    walletOf: ports.coldWallet,
    rates: ports.rates,
    ceilingCents,
    floors: inEachToken((token) => config.cold.coins[token].floor)
  }
  const headSigner = journal && seed ? headSignerOf(seed, journal) : undefined
  return {
    ceilingCents,
    cold,
    deposits,
    withdrawals,
    following,
    signer,
    signingOf,
    headSigner,
    requireJournal,
    close: () => journal?.close()
  }
}
