/**
 * Derives our addresses from the seed. Bitcoin by BIP 84 (`m/84'/coin'/account'/chain/position`), Ethereum by BIP 44. Each CPC account
 * has a passphrase of its own, derived from the seed. Customers' addresses and our own wallets have different accounts.
 */
import { createHmac } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { p2wpkh } from '@scure/btc-signer'
import { Crypto, generateSignKeys } from '@signumjs/crypto'
import { NodeJSCryptoAdapter } from '@signumjs/crypto/adapters'
import { hdKeyToAccount } from 'viem/accounts'
import { accountOfKey, type Networks } from '#lib/domain/chains/address.ts'
import type { Chain } from '#lib/domain/chains/chains.ts'
import { writeAccount } from '#lib/domain/chains/reedSolomon.ts'
import type { AddressMaker } from '../addresses/pool.ts'
import type { Purpose, SeedPurpose } from '../schema.ts'
import { BITCOIN_NETWORKS } from './bitcoin/networks.ts'

Crypto.init(new NodeJSCryptoAdapter())

/** Numbers of the BIP 44 accounts: 0 for customers' addresses, 1 for our own wallets. */
export const ACCOUNT: Record<SeedPurpose, number> = { deposit: 0, hot: 1, change: 1 }

/** Throws for cold storage, whose keys the seed does not have. */
export function seedPurposeOf(purpose: Purpose): SeedPurpose {
  if (purpose === 'cold' || purpose === 'cold_change') throw new Error('The seed does not have the keys of cold storage')
  return purpose
}

export function addressMakers(seed: Uint8Array, { bitcoin, cpcPrefix }: Networks): Record<Chain, AddressMaker> {
  const root = HDKey.fromMasterSeed(seed)
  const coin = bitcoin === 'main' ? 0 : 1
  // The extended public keys: everything below is derived without a private key.
  const accounts = [0, 1].map((account) => HDKey.fromExtendedKey(root.derive(`m/84'/${coin}'/${account}'`).publicExtendedKey))
  return {
    bitcoin: (purpose, position) => {
      const key = accounts[ACCOUNT[purpose]]?.derive(`m/${purpose === 'change' ? 1 : 0}/${position}`).publicKey
      const { address } = p2wpkh(key ?? new Uint8Array(), BITCOIN_NETWORKS[bitcoin])
      return { address: address ?? '', accountId: null, publicKey: null }
    },
    ethereum: (purpose, position) => {
      const { address } = hdKeyToAccount(root as never, { accountIndex: ACCOUNT[purpose], addressIndex: position })
      return { address, accountId: null, publicKey: null }
    },
    cpc: (purpose, position) => {
      const { publicKey } = generateSignKeys(cpcPassphrase(seed, purpose, position))
      const id = accountOfKey(publicKey)
      if (id === undefined) throw new Error('The CPC library made no public key')
      return { address: `${cpcPrefix}-${writeAccount(id)}`, accountId: id.toString(), publicKey }
    }
  }
}

export function cpcPassphrase(seed: Uint8Array, purpose: SeedPurpose, position: number): string {
  return createHmac('sha256', seed).update(`cpc/${purpose}/${position}`).digest('hex')
}
