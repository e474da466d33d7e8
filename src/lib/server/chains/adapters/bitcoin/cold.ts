/** Cold storage of Bitcoin: addresses out of an extended public key (BIP 84), and refills as PSBT (BIP 174) for any offline wallet. */
import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { bip32Path, p2pkh, p2wpkh, SigHash, Transaction } from '@scure/btc-signer'
import type { Networks } from '#lib/domain/chains/address.ts'
import { RefillError, type RefillFormat, type SignedRefill } from '../../cold/format.ts'
import type { ColdWallet } from '../../cold/wallet.ts'
import type { ColdPurpose } from '../../schema.ts'
import type { Coin } from '../../sending/plan.ts'
import { BITCOIN_NETWORKS } from './networks.ts'
import { REPLACEABLE } from './sign.ts'

/** The first bytes of extended keys, of each network. Sources: BIP 32 (`xpub`, `tpub`) and SLIP 132 (`zpub`, `vpub`). */
const VERSIONS: Record<'main' | 'test', Record<string, number>> = {
  main: { xpub: 0x0488b21e, zpub: 0x04b24746 },
  test: { tpub: 0x043587cf, vpub: 0x045f1cf6 }
}
const CHAIN_OF: Record<ColdPurpose, number> = { cold: 0, cold_change: 1 }
const MESSAGE_PREFIX = '\u0018Bitcoin Signed Message:\n'
const SIGNATURE_BYTES = 65
const PSBT_MAGIC = '70736274ff'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** `text`: an extended public key, perhaps after its origin in brackets. Throws for a key of another network. */
export function bitcoinColdWallet(text: string, network: Networks['bitcoin']): ColdWallet {
  const [, origin, extended = ''] = /^(?:\[([^\]]*)\])?(.*)$/.exec(text) ?? []
  const version = VERSIONS[network === 'main' ? 'main' : 'test'][extended.slice(0, 4)]
  if (version === undefined) throw new Error(`COLD_BITCOIN is no extended public key of the network ${network}`)
  // Only the public version is looked at.
  const account = HDKey.fromExtendedKey(extended, { public: version, private: version + 1 })
  const [fingerprint = '', ...steps] = origin?.split('/') ?? []
  const key = (purpose: ColdPurpose, position: number) => {
    const { publicKey } = account.deriveChild(CHAIN_OF[purpose]).deriveChild(position)
    if (!publicKey) throw new Error('The extended key has no public key')
    return publicKey
  }
  return {
    chain: 'bitcoin',
    id: bytesToHex(
      sha256(
        Buffer.from(
          `bitcoin ${network} ${bytesToHex(account.chainCode ?? new Uint8Array())} ${bytesToHex(account.publicKey ?? new Uint8Array())}`
        )
      )
    ),
    addressAt: (purpose, position) => {
      const { address = '' } = p2wpkh(key(purpose, position), BITCOIN_NETWORKS[network])
      return { address, accountId: null, publicKey: null }
    },
    // A signed message of the first address. Source: BIP 137; the first byte only says which kind of address signs.
    isSigned: async (words, signature) => {
      const bytes = decoded(signature)
      if (bytes?.length !== SIGNATURE_BYTES) return false
      const body = Buffer.from(words)
      const message = Buffer.concat([Buffer.from(MESSAGE_PREFIX, 'latin1'), Buffer.from([body.length]), body])
      const first = account.deriveChild(CHAIN_OF.cold).deriveChild(0)
      return first.verify(sha256(sha256(message)), bytes.slice(1))
    },
    keyAt: (purpose, position) => ({
      publicKey: key(purpose, position),
      fingerprint: fingerprint === '' ? account.fingerprint : Number.parseInt(fingerprint, 16),
      path: ['m', ...steps.map((step) => step.replace('h', "'")), CHAIN_OF[purpose], position].join('/')
    })
  }
}

function decoded(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text.trim())
  } catch {
    return undefined
  }
}

export function bitcoinRefills(name: Networks['bitcoin']): RefillFormat {
  const network = BITCOIN_NETWORKS[name]
  return {
    extension: 'psbt',
    write: async ({ payout, coins, change }, wallet) => {
      const transaction = new Transaction()
      const derivation = (purpose: ColdPurpose, position: number) => {
        const found = wallet.keyAt?.(purpose, position)
        if (!found) throw new Error('Cold storage of Bitcoin has keys')
        const { publicKey, fingerprint, path } = found
        return { publicKey, bip32Derivation: [[publicKey, { fingerprint, path: bip32Path(path) }]] as never }
      }
      for (const { outpoint, amount, address } of coins) {
        const [id = '', index] = outpoint.split(':')
        const { publicKey, bip32Derivation } = derivation(address.purpose as ColdPurpose, address.position)
        const { script, address: own } = p2wpkh(publicKey, network)
        if (own !== address.address) throw new RefillError(`${address.address} belongs to another key than COLD_BITCOIN`)
        transaction.addInput({
          txid: hexToBytes(id),
          index: Number(index),
          sequence: REPLACEABLE,
          witnessUtxo: { script, amount },
          bip32Derivation
        })
      }
      transaction.addOutputAddress(payout.to, payout.amount, network)
      // With its key's path, so that the offline wallet knows its own change.
      if (change) {
        const { publicKey, bip32Derivation } = derivation('cold_change', change.position)
        transaction.addOutput({ script: p2wpkh(publicKey, network).script, amount: change.amount, bip32Derivation })
      }
      return transaction.toPSBT()
    },
    read: async (file) => readSigned(file, network),
    isSigned: (bytes, coins) => isSigned(bytes, coins, network)
  }
}

/** True if each input is a signature of its coin's key over the whole transaction (P2WPKH, BIP 143). */
function isSigned(bytes: string, coins: Coin[], network: (typeof BITCOIN_NETWORKS)['main']): boolean {
  const transaction = Transaction.fromRaw(hexToBytes(bytes), { allowUnknownOutputs: true, allowUnknownInputs: true })
  return Array.from({ length: transaction.inputsLength }, (_, at) => transaction.getInput(at)).every((input, at) => {
    const outpoint = `${bytesToHex(input.txid ?? new Uint8Array())}:${input.index}`
    const coin = coins.find((one) => one.outpoint === outpoint)
    const [signature, publicKey, ...rest] = input.finalScriptWitness ?? []
    if (!coin || !signature || !publicKey || rest.length > 0 || signature.at(-1) !== SigHash.ALL) return false
    try {
      if (p2wpkh(publicKey, network).address !== coin.address.address) return false
      const hash = transaction.preimageWitnessV0(at, p2pkh(publicKey, network).script, SigHash.ALL, coin.amount)
      return secp256k1.verify(signature.slice(0, -1), hash, publicKey, { format: 'der', prehash: false, lowS: true })
    } catch {
      return false
    }
  })
}

/** A PSBT as bytes or as base64 text, or a whole transaction as hexadecimal text. */
function readSigned(file: Uint8Array, network: (typeof BITCOIN_NETWORKS)['main']): SignedRefill {
  const isBytes = bytesToHex(file.slice(0, 5)) === PSBT_MAGIC
  const text = isBytes ? '' : Buffer.from(file).toString('utf8').trim()
  const isHex = /^([0-9a-f]{2})+$/i.test(text)
  const open = { allowUnknownOutputs: true, allowUnknownInputs: true }
  try {
    const transaction = isHex
      ? Transaction.fromRaw(hexToBytes(text), open)
      : Transaction.fromPSBT(isBytes ? file : (decoded(text) ?? new Uint8Array()), open)
    // The coins of a whole transaction are not in it: whether its signatures are right, the node says.
    if (!isHex && !transaction.isFinal) transaction.finalize()
    const at = Array.from({ length: transaction.inputsLength }, (_, index) => transaction.getInput(index))
    if (at.some(({ finalScriptWitness }) => !finalScriptWitness?.length)) throw new Error('an input has no signature')
    return {
      chain: 'bitcoin',
      transactionId: transaction.id,
      bytes: isHex ? text.toLowerCase() : bytesToHex(transaction.extract()),
      spends: at.map(({ txid, index }) => `${bytesToHex(txid ?? new Uint8Array())}:${index}`),
      from: undefined,
      nonce: undefined,
      fee: undefined,
      expiresAt: undefined,
      payments: Array.from({ length: transaction.outputsLength }, (_, index) => ({
        address: transaction.getOutputAddress(index, network) ?? 'a script',
        token: 'BTC' as const,
        amount: transaction.getOutput(index).amount ?? 0n
      }))
    }
  } catch (error) {
    throw new RefillError(
      `The file is no Bitcoin transaction that is signed completely (${error instanceof Error ? error.message : error})`
    )
  }
}
