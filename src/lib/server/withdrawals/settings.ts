/** The settings of withdrawals. Those of the signer are read by the signer alone. */
import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Networks } from '#lib/domain/chains/address.ts'
import { type Chain, type ChainToken, inEachToken } from '#lib/domain/chains/chains.ts'
import type { SignerLimits } from '#lib/domain/chains/signerLimits.ts'
import type { WithdrawalLimits } from '#lib/domain/withdrawals/withdrawal.ts'
import { type Asked, type Environment, tokenAmount, wholeNumber } from '../platform/config.ts'
import { type OperatorKey, publicKeyOf, signingKey } from '../platform/ed25519.ts'
import type { RatesSource } from '../rates/index.ts'
import { type ListedKey, PERSON, parseStaffKeys } from '../staff/index.ts'

export type WithdrawalSettings = {
  limits: WithdrawalLimits
  networks: Networks
  /** What tells this installation's network of a chain from every other, e.g. `ethereum 1`. */
  networkNames: Record<Chain, string>
  /** Token contracts: coins sent to one are lost. */
  contracts: string[]
  /** The contract of each token that has one. */
  contractOf: Partial<Record<ChainToken, string>>
  rates: RatesSource
  /** The signer's public key. */
  proof: string
  /** The keys whose approvals the signer accepts. Empty outside the signer. */
  operatorKeys: OperatorKey[]
  /** The passkeys of staff whose approvals the signer accepts. */
  staffKeys: () => Promise<ListedKey[]>
  /** USD cents above which the signer wants two persons, and one of them with a key in a file. */
  signerTwoAboveCents: bigint
  signerFileAboveCents: bigint
  /** Smallest units by which customers may have more than there are coins: above it, the signer pays nothing of the token. */
  owedMost: Record<ChainToken, bigint>
}

export type WithdrawalsConfig = {
  operatorKeys: OperatorKey[]
  /** The operator of the sandbox, whose key everybody knows; undefined in production. */
  sandboxOperator: KeyObject | undefined
  /** The file that lists the passkeys of staff; undefined: none, in the sandbox those of the desk. */
  staffKeysFile: string | undefined
  signerTwoAboveCents: bigint
  signerFileAboveCents: bigint
  signerCoins: SignerLimits['coins']
  signerNewPercent: bigint
  owedMost: Record<ChainToken, bigint>
}

/** About what the default limits in USD are worth. */
const COINS: Record<ChainToken, { day: string; payment: string }> = {
  BTC: { day: '1', payment: '0.25' },
  ETH: { day: '25', payment: '6' },
  USDC: { day: '60000', payment: '15000' },
  CPC: { day: '1500000', payment: '300000' }
}
const NEW_PERCENT = 50
/** What we may have sold or given away without having the coins. */
const OWED_MOST: Record<ChainToken, string> = { BTC: '0.05', ETH: '1', USDC: '5000', CPC: '20000000' }
const OPERATOR = /^([\w.@+-]{1,60}):([0-9a-f]{64})$/i
/** Public, so it must never approve real coins. */
const SANDBOX_OPERATOR = Buffer.from('operator of the sandbox: no secret')

function readCoins(env: Environment, problems: string[]): SignerLimits['coins'] {
  const units = (name: string, token: ChainToken, fallback: string) =>
    tokenAmount(env, name, { token, fallback, isZeroRight: false }, problems)
  return inEachToken((token) => ({
    day: units(`SIGNER_DAY_${token}`, token, COINS[token].day),
    payment: units(`SIGNER_PAYMENT_${token}`, token, COINS[token].payment)
  }))
}

const readOwedMost = (env: Environment, problems: string[]) =>
  inEachToken((token) => tokenAmount(env, `OWED_MOST_${token}`, { token, fallback: OWED_MOST[token] }, problems))

function readOperatorKeys(env: Environment, { role, production, problems }: Asked): OperatorKey[] {
  const texts = (env.OPERATOR_KEYS ?? '').split(',').map((text) => text.trim())
  const given = texts.filter((text) => text !== '')
  const keys = given.flatMap((text) => {
    const [, name = '', publicKey = ''] = OPERATOR.exec(text) ?? []
    if (name === '')
      problems.push(`OPERATOR_KEYS must be NAME:KEY, separated by commas; KEY is 64 hexadecimal digits. Not "${text}"`)
    return name === '' ? [] : [{ name, publicKey: publicKey.toLowerCase() }]
  })
  if (new Set(keys.map(({ publicKey }) => publicKey)).size < keys.length)
    problems.push('OPERATOR_KEYS has the same key under two names: it would count as two persons')
  // The same person may have a key in a file and a passkey: by one name they are one.
  if (production && env.STAFF_KEYS_FILE && !keys.every(({ name }) => PERSON.test(name)))
    problems.push('OPERATOR_KEYS must name persons by their e-mail, as STAFF_KEYS_FILE does: else one person counts as two')
  const known = publicKeyOf(signingKey(SANDBOX_OPERATOR))
  if (production && keys.some(({ publicKey }) => publicKey === known)) problems.push("OPERATOR_KEYS has the sandbox's public key")
  if (production && role === 'signer' && given.length === 0)
    problems.push(
      'OPERATOR_KEYS is missing: the public keys of the operators who may approve withdrawals, e.g. grace:64 hexadecimal digits'
    )
  return production ? keys : [...keys, { name: 'sandbox', publicKey: known }]
}

/** Read at the start, so that a wrong file is named before anything waits for it. */
function readStaffKeysFile(env: Environment, { role, production, problems }: Asked): string | undefined {
  const file = env.STAFF_KEYS_FILE || undefined
  if (!file || (production && role !== 'signer')) return undefined
  try {
    parseStaffKeys(readFileSync(file, 'utf8'))
  } catch (error) {
    problems.push(`STAFF_KEYS_FILE cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  return file
}

const CENTS = 100n
const dollarCents = (env: Environment, name: string, fallback: number, problems: string[]) =>
  BigInt(wholeNumber(env, name, fallback, [0, 1_000_000_000], problems)) * CENTS

export function readWithdrawalsConfig(env: Environment, asked: Asked): WithdrawalsConfig {
  return {
    staffKeysFile: readStaffKeysFile(env, asked),
    signerTwoAboveCents: dollarCents(env, 'SIGNER_TWO_ABOVE_USD', 7_500, asked.problems),
    signerFileAboveCents: dollarCents(env, 'SIGNER_FILE_ABOVE_USD', 50_000, asked.problems),
    operatorKeys: readOperatorKeys(env, asked),
    sandboxOperator: asked.production ? undefined : signingKey(SANDBOX_OPERATOR),
    signerCoins: readCoins(env, asked.problems),
    signerNewPercent: BigInt(wholeNumber(env, 'SIGNER_NEW_PERCENT', NEW_PERCENT, [1, 100], asked.problems)),
    owedMost: readOwedMost(env, asked.problems)
  }
}
