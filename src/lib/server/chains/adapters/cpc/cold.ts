/** Cold storage of CPC: one account by its public key, and refills as unsigned bytes for an offline wallet. Source: NXT. */
import { createHash } from 'node:crypto'
import { Crypto, verifySignature } from '@signumjs/crypto'
import { NodeJSCryptoAdapter } from '@signumjs/crypto/adapters'
import { accountOfKey } from '#lib/domain/chains/address.ts'
import { writeAccount } from '#lib/domain/chains/reedSolomon.ts'
import { RefillError, type RefillFormat } from '../../cold/format.ts'
import type { ColdWallet } from '../../cold/wallet.ts'
import { BYTES, check, isPlainPayment, SIGNATURE, transactionIdOf } from './sign.ts'

Crypto.init(new NodeJSCryptoAdapter())

/** A token of the NXT wallet: 100 bytes, five of them in each eight digits to base 32. */
const TOKEN = { characters: 160, group: 8, groupBytes: 5, key: 32, time: 4 }

export function cpcColdWallet(text: string, { prefix, genesis }: { prefix: string; genesis: string | undefined }): ColdWallet {
  const publicKey = text.toLowerCase()
  const id = accountOfKey(publicKey)
  if (id === undefined) throw new Error('COLD_CPC is no public key')
  return {
    chain: 'cpc',
    id: createHash('sha256')
      .update(`cpc ${prefix} ${genesis ?? ''} ${publicKey}`)
      .digest('hex'),
    addressAt: () => ({ address: `${prefix}-${writeAccount(id)}`, accountId: id.toString(), publicKey }),
    isSigned: async (words, token) => isToken(words, token.trim(), publicKey)
  }
}

/** Whether the account made this token for the text, e.g. in the NXT wallet's dialog "Token generation". Source: NXT, `Token.parseToken`. */
function isToken(text: string, token: string, publicKey: string): boolean {
  if (token.length !== TOKEN.characters || !/^[0-9a-v]+$/.test(token)) return false
  const groups = token.match(/.{8}/g) ?? []
  const bytes = Buffer.concat(
    groups.map((group) => {
      const five = Buffer.alloc(TOKEN.groupBytes)
      // Eight digits to base 32 are 40 bits.
      five.writeUIntLE(Number.parseInt(group, 32), 0, TOKEN.groupBytes)
      return five
    })
  )
  const key = bytes.subarray(0, TOKEN.key)
  const signed = Buffer.concat([Buffer.from(text), bytes.subarray(0, TOKEN.key + TOKEN.time)])
  const signature = bytes.subarray(TOKEN.key + TOKEN.time)
  return key.toString('hex') === publicKey && verifySignature(signature.toString('hex'), signed.toString('hex'), publicKey)
}

export function cpcRefills(prefix: string): RefillFormat {
  return {
    extension: 'tx',
    write: async (plan) => {
      const { prepared = '' } = plan
      check(Buffer.from(prepared, 'hex'), plan)
      return Buffer.from(prepared)
    },
    isSigned: () => true,
    read: async (file) => {
      const typed = Buffer.from(file).toString('utf8').trim()
      if (!/^([0-9a-f]{2})+$/i.test(typed)) throw new RefillError('The file is no CPC transaction')
      const bytes = Buffer.from(typed, 'hex')
      if (bytes.length !== BYTES || !isPlainPayment(bytes)) throw new RefillError('The file is no plain payment of CPC')
      const signature = bytes.subarray(SIGNATURE.from, SIGNATURE.to)
      const unsigned = Buffer.from(bytes).fill(0, SIGNATURE.from, SIGNATURE.to)
      const publicKey = bytes.subarray(8, 40).toString('hex')
      if (!verifySignature(signature.toString('hex'), unsigned.toString('hex'), publicKey))
        throw new RefillError('The transaction is not signed by its account')
      return {
        chain: 'cpc',
        transactionId: transactionIdOf(unsigned, signature),
        bytes: typed.toLowerCase(),
        spends: [],
        from: `${prefix}-${writeAccount(accountOfKey(publicKey) ?? 0n)}`,
        nonce: undefined,
        fee: bytes.readBigUInt64LE(56),
        expiresAt: BigInt(bytes.readUInt32LE(2)) + BigInt(bytes.readUInt16LE(6)) * 60n,
        payments: [
          { address: `${prefix}-${writeAccount(bytes.readBigUInt64LE(40))}`, token: 'CPC', amount: bytes.readBigUInt64LE(48) }
        ]
      }
    }
  }
}
