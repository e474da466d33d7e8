/**
 * Signs CPC payments. The node prepares the bytes; they are signed only if every field of them matches the request. Source: NXT,
 * `TransactionImpl.getBytes`.
 */
import { createHash } from 'node:crypto'
import { generateSignature, generateSignKeys } from '@signumjs/crypto'
import { readAccount } from '#lib/domain/chains/reedSolomon.ts'
import { CPC_FEE } from '../../sending/fees.ts'
import type { Plan } from '../../sending/plan.ts'
import type { PlanSigner } from '../../sending/signing.ts'
import { cpcPassphrase, seedPurposeOf } from '../makers.ts'

export const BYTES = 176
export const SIGNATURE = { from: 96, to: 160 }
const VERSION_1 = 0x10
const ORDINARY_PAYMENT = [0, VERSION_1]
const MOST_MINUTES = 1440
/** The most that a transaction's time may differ from that of the newest block: blocks may be late, clocks wrong. */
const AHEAD_SECONDS = 7200n

/** True if the bytes are an ordinary payment that refers to no other transaction and has no attachments. */
export function isPlainPayment(bytes: Buffer): boolean {
  const isOrdinary = bytes[0] === ORDINARY_PAYMENT[0] && bytes[1] === ORDINARY_PAYMENT[1]
  return isOrdinary && !bytes.subarray(64, SIGNATURE.from).some((byte) => byte !== 0) && bytes.readUInt32LE(SIGNATURE.to) === 0
}

/** The id is made of the unsigned bytes and the hash of the signature. */
export function transactionIdOf(unsigned: Buffer, signature: Buffer): string {
  return sha256(unsigned, sha256(signature)).readBigUInt64LE().toString()
}

/** Throws unless the bytes are an ordinary payment of this amount from this account to this receiver, and nothing else. */
export function check(bytes: Buffer, { payout, from, chainTime }: Plan): { expiresAt: bigint } {
  const refuse = (what: string): never => {
    throw new Error(`The node prepared another payment than it was asked for: ${what}`)
  }
  if (bytes.length !== BYTES) refuse(`${bytes.length} bytes`)
  if (bytes[0] !== ORDINARY_PAYMENT[0] || bytes[1] !== ORDINARY_PAYMENT[1]) refuse('its kind')
  if (bytes.subarray(8, 40).toString('hex') !== from?.publicKey) refuse('its sender')
  if (bytes.readBigUInt64LE(40) !== readAccount(payout.to.slice(payout.to.indexOf('-') + 1))) refuse('its receiver')
  if (bytes.readBigUInt64LE(48) !== payout.amount) refuse('its amount')
  if (bytes.readBigUInt64LE(56) !== CPC_FEE) refuse('its fee')
  // Must be empty: the referenced transaction and the signature (here), and the flags of attachments (next line).
  if (bytes.subarray(64, SIGNATURE.to).some((byte) => byte !== 0)) refuse('what it refers to')
  if (bytes.readUInt32LE(SIGNATURE.to) !== 0) refuse('its attachments')
  const at = BigInt(bytes.readUInt32LE(2))
  if (chainTime === null || at > chainTime + AHEAD_SECONDS || at + AHEAD_SECONDS < chainTime) refuse('its time')
  const minutes = bytes.readUInt16LE(6)
  if (minutes < 1 || minutes > MOST_MINUTES) refuse('its deadline')
  return { expiresAt: at + BigInt(minutes) * 60n }
}

export function cpcSigner(seed: Uint8Array): PlanSigner {
  return async (plan) => {
    const { from, prepared } = plan
    if (!from || !prepared) throw new Error('A CPC payment has an account and prepared bytes')
    const { signPrivateKey, publicKey } = generateSignKeys(cpcPassphrase(seed, seedPurposeOf(from.purpose), from.position))
    if (publicKey !== from.publicKey) throw new Error(`The seed does not have the key of ${from.address}`)
    const unsigned = Buffer.from(prepared, 'hex')
    const { expiresAt } = check(unsigned, plan)
    const signature = Buffer.from(generateSignature(unsigned.toString('hex'), signPrivateKey), 'hex')
    const signed = Buffer.concat([unsigned.subarray(0, SIGNATURE.from), signature, unsigned.subarray(SIGNATURE.to)])
    return { transactionId: transactionIdOf(unsigned, signature), bytes: signed.toString('hex'), expiresAt }
  }
}

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
