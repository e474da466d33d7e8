/**
 * Signs Bitcoin transactions (BIP 174) with the keys of the seed: P2WPKH inputs, and P2PKH ones of the same keys. Every input signals that
 * it may be replaced.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'
import { p2pkh, p2wpkh, Transaction } from '@scure/btc-signer'
import type { Networks } from '#lib/domain/chains/address.ts'
import type { Coin } from '../../sending/plan.ts'
import type { PlanSigner } from '../../sending/signing.ts'
import { ACCOUNT, seedPurposeOf } from '../makers.ts'
import { BITCOIN_NETWORKS } from './networks.ts'

/** The highest sequence number that signals replacement (BIP 125). */
export const REPLACEABLE = 0xfffffffd

export function bitcoinSigner(seed: Uint8Array, name: Networks['bitcoin']): PlanSigner {
  const network = BITCOIN_NETWORKS[name]
  const root = HDKey.fromMasterSeed(seed)

  function keyOf({ address: { address, purpose, position }, isOlderForm }: Coin) {
    const path = `m/84'/${name === 'main' ? 0 : 1}'/${ACCOUNT[seedPurposeOf(purpose)]}'/${purpose === 'change' ? 1 : 0}/${position}`
    const { privateKey, publicKey } = root.derive(path)
    if (!privateKey || !publicKey) throw new Error(`There is no key at ${path}`)
    const payment = p2wpkh(publicKey, network)
    if (payment.address !== address) throw new Error(`The seed does not have the key of ${address}`)
    return { privateKey, script: isOlderForm ? p2pkh(publicKey, network).script : payment.script }
  }

  return async ({ payout, coins, change }) => {
    // P2PKH signs no amounts: those of blocks that were read are right, because their transactions' hashes were computed here.
    const transaction = new Transaction({ allowLegacyWitnessUtxo: true })
    const keys = coins.map((coin) => ({ coin, ...keyOf(coin) }))
    for (const { coin, script } of keys) {
      const [id = '', index] = coin.outpoint.split(':')
      transaction.addInput({
        txid: hexToBytes(id),
        index: Number(index),
        sequence: REPLACEABLE,
        witnessUtxo: { script, amount: coin.amount }
      })
    }
    transaction.addOutputAddress(payout.to, payout.amount, network)
    if (change) transaction.addOutputAddress(change.address, change.amount, network)
    for (const [index, { privateKey }] of keys.entries()) transaction.signIdx(privateKey, index)
    transaction.finalize()
    return { transactionId: transaction.id, bytes: bytesToHex(transaction.extract()) }
  }
}
