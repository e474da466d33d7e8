/**
 * Checks the form, checksum and network of addresses that customers type. Only the server can recognise our own addresses and token
 * contracts, so it checks those. This module loads hash functions, so a page loads it only when an address field is used.
 */

import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { bech32, bech32m, createBase58check } from '@scure/base'
import type { Chain } from './chains.ts'
import { readAccount, writeAccount } from './reedSolomon.ts'

/** The networks that this installation uses. `cpcPrefix`: the prefix of account numbers on the CPC chain, e.g. `CPC`. */
export type Networks = { bitcoin: 'main' | 'test' | 'regtest'; cpcPrefix: string }

/**
 * What is wrong with an address, in order: no known format; another chain's address; another network of this chain; a wrong
 * checksum, so mistyped; a SegWit version that is not in use yet; the zero address, which destroys coins.
 */
export const ADDRESS_FAULTS = ['form', 'otherChain', 'network', 'checksum', 'version', 'zero'] as const
export type AddressFault = (typeof ADDRESS_FAULTS)[number]

/** `address`: in normal form, for storing and comparing. */
export type ReadAddress = { address: string; fault?: undefined } | { fault: AddressFault }

type BitcoinNetwork = Networks['bitcoin']

const SEGWIT_PREFIXES: Record<string, BitcoinNetwork> = { bc: 'main', tb: 'test', bcrt: 'regtest' }
/** First bytes of base58 addresses: pay to public key hash, pay to script hash. Regtest uses those of the test network. */
const BASE58_VERSIONS: Record<number, 'main' | 'test'> = { 0: 'main', 5: 'main', 111: 'test', 196: 'test' }
const BASE58_BYTES = 21
const TAPROOT = 1
const SEGWIT_BYTES: Record<number, number[]> = { 0: [20, 32], [TAPROOT]: [32] }

const base58check = createBase58check(sha256)
const HEX_ADDRESS = /^0x[0-9a-f]{40}$/i
const BASE58_ADDRESS = /^[123mn][1-9A-HJ-NP-Za-km-z]{24,38}$/
const SEGWIT_ADDRESS = /^(bc|tb|bcrt)1[02-9ac-hj-np-z]{6,87}$/i
const ACCOUNT_ADDRESS = /^[A-Z]{1,6}-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{5}$/i

/** The prime of the field of secp256k1. Source: SEC 2. */
const PRIME = 2n ** 256n - 2n ** 32n - 977n

function powerMod(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base % PRIME]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % PRIME
    square = (square * square) % PRIME
  }
  return result
}

/**
 * True if 32 bytes are the x coordinate of a point of secp256k1, i.e. x³ + 7 is a square. Half of all values are not: no key can spend
 * an output to one, and the signer's library refuses it. Source: BIP 340, `lift_x`; BIP 341.
 */
function isTaprootKey(bytes: Uint8Array): boolean {
  const x = BigInt(`0x${bytesToHex(bytes)}`)
  return x < PRIME && powerMod(x ** 3n + 7n, (PRIME - 1n) / 2n) === 1n
}

/** Source: BIP 173 and BIP 350. */
function readSegwit(text: string, network: BitcoinNetwork): ReadAddress {
  // BIP 173 forbids mixed case: the checksum does not cover the case.
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return { fault: 'checksum' }
  const address = text.toLowerCase() as `${string}1${string}`
  const decoded = bech32.decodeUnsafe(address) ?? bech32m.decodeUnsafe(address)
  const version = decoded?.words[0]
  if (!decoded || version === undefined) return { fault: 'checksum' }
  const code = version === 0 ? bech32 : bech32m
  if (!code.decodeUnsafe(address)) return { fault: 'checksum' }
  if (SEGWIT_PREFIXES[decoded.prefix] !== network) return { fault: 'network' }
  const lengths = SEGWIT_BYTES[version]
  if (!lengths) return { fault: 'version' }
  const program = code.fromWordsUnsafe(decoded.words.slice(1))
  if (!program || !lengths.includes(program.length)) return { fault: 'form' }
  return version !== TAPROOT || isTaprootKey(program) ? { address } : { fault: 'form' }
}

function readBase58(text: string, network: BitcoinNetwork): ReadAddress {
  let bytes: Uint8Array
  try {
    bytes = base58check.decode(text)
  } catch {
    return { fault: 'checksum' }
  }
  const found = BASE58_VERSIONS[bytes[0] ?? -1]
  if (bytes.length !== BASE58_BYTES || !found) return { fault: 'form' }
  return found === (network === 'main' ? 'main' : 'test') ? { address: text } : { fault: 'network' }
}

/** First bytes of addresses that pay to the hash of a public key. */
const KEY_HASH_VERSIONS = [0, 111]

/**
 * The SegWit address of the same key (P2WPKH, the kind of all our own), for an older one that pays to the hash of a public key;
 * undefined for every other address.
 */
export function segwitOfSameKey(address: string, { bitcoin }: Networks): string | undefined {
  if (!BASE58_ADDRESS.test(address)) return undefined
  const bytes = base58check.decode(address)
  if (!KEY_HASH_VERSIONS.includes(bytes[0] ?? -1)) return undefined
  const prefix = Object.entries(SEGWIT_PREFIXES).find(([, network]) => network === bitcoin)?.[0] ?? ''
  return bech32.encode(prefix, [0, ...bech32.toWords(bytes.slice(1))])
}

/** An Ethereum address with its checksum, which EIP-55 writes as the case of its letters. */
export function withChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  return `0x${[...digits].map((digit, index) => (Number.parseInt(hash[index] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}

function readEthereum(text: string): ReadAddress {
  const digits = text.slice(2)
  const address = withChecksum(text)
  if (/^0+$/.test(digits)) return { fault: 'zero' }
  // All lower or all upper case: no checksum. Some programs write addresses this way.
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return hasChecksum && address.slice(2) !== digits ? { fault: 'checksum' } : { address }
}

function readCpc(text: string, prefix: string): ReadAddress {
  const address = text.toUpperCase()
  const cut = address.indexOf('-')
  if (address.slice(0, cut) !== prefix) return { fault: 'network' }
  const id = readAccount(address.slice(cut + 1))
  if (id === undefined) return { fault: 'form' }
  if (id === 'checksum') return { fault: 'checksum' }
  return id === 0n ? { fault: 'zero' } : { address: `${prefix}-${writeAccount(id)}` }
}

/** The chain whose address format a text has, even if its checksum is wrong. */
function looksLike(text: string): Chain | undefined {
  if (HEX_ADDRESS.test(text)) return 'ethereum'
  if (ACCOUNT_ADDRESS.test(text)) return 'cpc'
  return SEGWIT_ADDRESS.test(text) || BASE58_ADDRESS.test(text) ? 'bitcoin' : undefined
}

/** Reads an address of the chain; surrounding spaces are ignored. */
export function readAddress(chain: Chain, typed: string, networks: Networks): ReadAddress {
  const text = typed.trim()
  const found = looksLike(text)
  if (found !== chain) return { fault: found ? 'otherChain' : 'form' }
  if (chain === 'ethereum') return readEthereum(text)
  if (chain === 'cpc') return readCpc(text, networks.cpcPrefix)
  return SEGWIT_ADDRESS.test(text) ? readSegwit(text, networks.bitcoin) : readBase58(text, networks.bitcoin)
}

/** The numeric id of the CPC account that a public key (64 hexadecimal digits) belongs to. Source: NXT, `Account.getId`. */
export function accountOfKey(publicKey: string): bigint | undefined {
  if (!/^[0-9a-f]{64}$/i.test(publicKey)) return undefined
  const bytes = Uint8Array.from(publicKey.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
  return new DataView(sha256(bytes).buffer).getBigUint64(0, true)
}

/** The numeric id of a CPC account, e.g. `CPC-MRCC-2YLS-8M54-3CMAJ`. Does not check the prefix; see `readAddress`. */
export function accountOf(address: string): bigint | undefined {
  const id = readAccount(address.slice(address.indexOf('-') + 1))
  return typeof id === 'bigint' ? id : undefined
}
