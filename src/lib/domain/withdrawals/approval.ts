/** What a person signs with a passkey to approve a withdrawal, and how many persons it takes. The signer computes it again by itself. */
import { challengeOfParts, type Once } from '../staff/challenge.ts'

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
const VERSION = 'cp-withdrawal-v1'

/** The challenge that the passkey signs: over version, network, token, id, receiver, amount, fee, expiry and nonce. */
export function approvalChallenge(of: ApprovedWithdrawal, once: Once): Uint8Array<ArrayBuffer> {
  return challengeOfParts([VERSION, of.network, of.token, of.id, of.receiver, `${of.amount}`, `${of.fee}`], once)
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
