/** Cold keys of tests, and the offline machine that holds them. */
import { createHash } from 'node:crypto'
import { hexToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { Transaction } from '@scure/btc-signer'
import { generateSignature, generateSignKeys } from '@signumjs/crypto'
import { parseTransaction, type TransactionSerialized } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '#lib/domain/chains/chains.ts'
import { type ColdWallet, coldChallenge, type Journal } from '#lib/server/chains/index.ts'
import { signCpc } from './cpcNode.ts'

const TEST_VERSIONS = { private: 0x04358394, public: 0x043587cf }
const root = HDKey.fromMasterSeed(hexToBytes('c01d'.repeat(16)), TEST_VERSIONS)
const account = root.derive("m/84'/1'/0'")
const ether = privateKeyToAccount(`0x${'c01d'.repeat(16)}`)
const PASSPHRASE = 'the cold account of the tests'
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** The settings of the signer. */
export const COLD_ENV = {
  COLD_BITCOIN: `[${root.fingerprint.toString(16).padStart(8, '0')}/84'/1'/0']${account.publicExtendedKey}`,
  COLD_ETHEREUM: ether.address,
  COLD_CPC: generateSignKeys(PASSPHRASE).publicKey
}

/** What the offline machine makes of the challenge. */
export const signChallenge: Record<Chain, (text: string) => Promise<string>> = {
  bitcoin: async (text) => {
    const body = Buffer.from(text)
    const message = Buffer.concat([Buffer.from('\u0018Bitcoin Signed Message:\n', 'latin1'), Buffer.from([body.length]), body])
    const signature = account
      .deriveChild(0)
      .deriveChild(0)
      .sign(sha256(sha256(message)))
    return base64.encode(Buffer.concat([Buffer.from([39]), signature]))
  },
  ethereum: (message) => ether.signMessage({ message }),
  cpc: async (text) => tokenOf(text, PASSPHRASE)
}

/** A token as the NXT wallet makes it. Source: NXT, `Token.generateToken`. */
function tokenOf(text: string, passphrase: string): string {
  const { publicKey, signPrivateKey } = generateSignKeys(passphrase)
  const head = Buffer.concat([Buffer.from(publicKey, 'hex'), Buffer.from([1, 2, 3, 4])])
  const signature = generateSignature(Buffer.concat([Buffer.from(text), head]).toString('hex'), signPrivateKey)
  const bytes = Buffer.concat([head, Buffer.from(signature, 'hex')])
  return Array.from({ length: 20 }, (_, at) =>
    bytes
      .readUIntLE(at * 5, 5)
      .toString(32)
      .padStart(8, '0')
  ).join('')
}

/** The signer's journal now holds the proof. */
export async function prove(journal: Journal, wallet: ColdWallet): Promise<void> {
  const signature = await signChallenge[wallet.chain](coldChallenge(wallet))
  journal.keepColdProof({ keyId: wallet.id, signature, by: 'staff:grace', why: 'Test', at: new Date(0) })
}

/** Signs a refill's file, as an offline wallet does. */
export const signOffline: Record<Chain, (file: Uint8Array) => Promise<Uint8Array>> = {
  bitcoin: async (file) => {
    const transaction = Transaction.fromPSBT(file)
    transaction.sign(root as never)
    return transaction.toPSBT()
  },
  ethereum: async (file) => {
    const unsigned = parseTransaction(Buffer.from(file).toString() as TransactionSerialized)
    return Buffer.from(await ether.signTransaction(unsigned as never))
  },
  cpc: async (file) => Buffer.from(signCpc(Buffer.from(file).toString(), PASSPHRASE))
}

/** Signs a file of the sandbox's chains; `change` is what somebody altered before. */
export function signSandbox(file: Uint8Array, change: (transaction: SandboxFile) => void = () => undefined): Uint8Array {
  const transaction = JSON.parse(Buffer.from(file).toString()) as SandboxFile
  change(transaction)
  return Buffer.from(JSON.stringify({ ...transaction, signedBy: 'offline' }))
}
type SandboxFile = {
  spends: string[]
  senders: string[]
  nonce?: string
  expiresAt?: string
  payments: { index: string; address: string; token: string; amount: string }[]
}
