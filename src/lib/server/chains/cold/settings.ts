/** The settings of cold storage: of the signer, which moves coins there, and of the worker, which writes the files of refills. */
import { readAddress } from '#lib/domain/chains/address.ts'
import { CHAINS, type Chain, type ChainToken, inEachToken } from '#lib/domain/chains/chains.ts'
import { type Environment, tokenAmount } from '../../platform/config.ts'

export type ColdConfig = {
  /**
   * What cold storage of a chain is known by: for Bitcoin the extended public key of a P2WPKH account (BIP 84), perhaps with its origin
   * (BIP 380, `[fingerprint/84'/0'/0']xpub…`); for Ethereum an address; for CPC an account's public key in hexadecimal. Without it, no
   * coins of the chain are moved.
   */
  keys: Partial<Record<Chain, string>>
  /** Smallest units: what stays in the hot wallet in any case, and the most that is moved to cold storage in 24 hours. */
  coins: Record<ChainToken, { floor: bigint; day: bigint }>
}

const NAMES: Record<Chain, string> = { bitcoin: 'COLD_BITCOIN', ethereum: 'COLD_ETHEREUM', cpc: 'COLD_CPC' }
const EXTENDED_KEY = /^(\[[0-9a-f]{8}(\/\d+['h]?)*\])?[xztv]pub[1-9A-HJ-NP-Za-km-z]{100,112}$/
const PUBLIC_KEY = /^[0-9a-f]{64}$/i
const COINS: Record<ChainToken, { floor: string; day: string }> = {
  BTC: { floor: '0.2', day: '10' },
  ETH: { floor: '5', day: '250' },
  USDC: { floor: '10000', day: '600000' },
  CPC: { floor: '200000', day: '15000000' }
}

const FORMS: Record<Chain, { isRight: (text: string) => boolean; says: string }> = {
  bitcoin: {
    isRight: (text) => EXTENDED_KEY.test(text),
    says: "an extended public key, e.g. [d34db33f/84'/0'/0']xpub…"
  },
  ethereum: {
    isRight: (text) => !readAddress('ethereum', text, { bitcoin: 'main', cpcPrefix: 'CPC' }).fault,
    says: 'an Ethereum address'
  },
  cpc: { isRight: (text) => PUBLIC_KEY.test(text), says: 'the public key of an account: 64 hexadecimal digits' }
}

function readCoins(env: Environment, problems: string[]): ColdConfig['coins'] {
  const units = (name: string, token: ChainToken, fallback: string) => tokenAmount(env, name, { token, fallback }, problems)
  return inEachToken((token) => ({
    floor: units(`HOT_FLOOR_${token}`, token, COINS[token].floor),
    day: units(`COLD_DAY_${token}`, token, COINS[token].day)
  }))
}

export function readColdConfig(env: Environment, problems: string[]): ColdConfig {
  const keys = CHAINS.flatMap((chain) => {
    const text = env[NAMES[chain]]?.trim()
    if (!text) return []
    if (!FORMS[chain].isRight(text)) problems.push(`${NAMES[chain]} must be ${FORMS[chain].says}, not "${text}"`)
    return [[chain, text]]
  })
  return { keys: Object.fromEntries(keys), coins: readCoins(env, problems) }
}
