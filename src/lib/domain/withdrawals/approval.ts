/** What a person signs with a passkey to approve a withdrawal, and how many persons it takes. The signer computes it again by itself. */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

export type ApprovedWithdrawal = {
  /** What tells the network from every other, e.g. `ethereum 1`. */
  network: string
  /** The token's code, or its contract where it has one. */
  token: string
  id: string
  receiver: string
  amount: bigint
  fee: bigint
}
/** `expires`: in seconds since 1970; the approval counts until then. `nonce`: random, so that no two approvals ask for the same signature. */
export type ApprovalOnce = { expires: bigint; nonce: string }

const VERSION = 'cp-withdrawal-v1'

/**
 * The challenge that the passkey signs: SHA-256 over version, network, token, id, receiver, amount, fee, expiry and nonce. Each part is
 * written with its length in bytes before it, so that no two withdrawals have the same text.
 */
export function approvalChallenge(of: ApprovedWithdrawal, { expires, nonce }: ApprovalOnce): Uint8Array {
  const parts = [VERSION, of.network, of.token, of.id, of.receiver, `${of.amount}`, `${of.fee}`, `${expires}`, nonce]
  return sha256(utf8ToBytes(parts.map((part) => `${utf8ToBytes(part).length}:${part}`).join('')))
}

/** USD cents above which an approval is needed, a second person, and one person with a key in a file. */
export type ApprovalSums = { oneAbove: bigint; twoAbove: bigint; fileAbove: bigint }

export type PersonsNeeded = { persons: 0 | 1 | 2; needsFileKey: boolean }

export function personsNeeded(cents: bigint, { oneAbove, twoAbove, fileAbove }: ApprovalSums): PersonsNeeded {
  // The higher sums never ask for less than the lower ones, however they are set.
  const isFile = cents > fileAbove
  const persons = isFile || cents > twoAbove ? 2 : cents > oneAbove ? 1 : 0
  return { persons, needsFileKey: isFile }
}
