/**
 * Approvals of a withdrawal: by a passkey at the desk, or by an operator's key in a file (Ed25519). Each is a signature over everything that
 * is approved. The signer checks them against its own lists of keys, so that a row in the database alone approves nothing.
 */
import { and, desc, eq, isNotNull, or } from 'drizzle-orm'
import { type ApprovalOnce, type ApprovedWithdrawal, approvalChallenge, personsNeeded } from '#lib/domain/withdrawals/approval.ts'
import type { Executor } from '../platform/db/client.ts'
import { isSignedBy } from '../platform/ed25519.ts'
import { type PasskeyAnswer, type WithdrawalRow, withdrawalDecisions } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'
import { type ListedKey, personOfAnswer } from './staffKeys.ts'

type Approved = Pick<WithdrawalRow, 'id' | 'chain' | 'currency' | 'receiver' | 'amount' | 'fee'>
type Network = Pick<WithdrawalSettings, 'networkNames' | 'contractOf'>

/** What a key in a file signs: with another network, receiver, token, amount or fee it is no approval of this withdrawal. */
export function approvalText({ networkNames }: Pick<WithdrawalSettings, 'networkNames'>, row: Approved): Buffer {
  const { id, chain, currency, receiver, amount, fee } = row
  return Buffer.from(
    JSON.stringify(['withdrawal approval', 1, id, networkNames[chain], currency, receiver, amount.toString(), fee.toString()])
  )
}

function approvedOf(
  { networkNames, contractOf }: Network,
  { id, chain, currency, receiver, amount, fee }: Approved
): ApprovedWithdrawal {
  return { network: networkNames[chain], token: contractOf[currency] ?? currency, id, receiver, amount, fee }
}

/** What a passkey signs. */
export function challengeOfApproval(network: Network, row: Approved, once: ApprovalOnce): Uint8Array {
  return approvalChallenge(approvedOf(network, row), once)
}

/** Different persons who approved exactly this withdrawal, and whether one of them did by a key in a file. */
type Approvers = { persons: Set<string>; hasFileKey: boolean }

/** By the signer's own lists. `at`: the chain's time, by which an approval expires. */
async function approversOf(
  db: Executor,
  settings: WithdrawalSettings,
  row: Approved,
  { keys, at }: { keys: ListedKey[]; at: Date }
): Promise<Approvers> {
  const made = await db
    .select({ signature: withdrawalDecisions.signature, passkey: withdrawalDecisions.passkey })
    .from(withdrawalDecisions)
    .where(
      and(
        eq(withdrawalDecisions.withdrawalId, row.id),
        eq(withdrawalDecisions.decision, 'approved'),
        or(isNotNull(withdrawalDecisions.signature), isNotNull(withdrawalDecisions.passkey))
      )
    )
    .orderBy(desc(withdrawalDecisions.id))
    .limit(MOST_APPROVALS)
  const text = approvalText(settings, row)
  const byFile = settings.operatorKeys.filter(({ publicKey }) =>
    made.some(({ signature }) => signature !== null && isSignedBy(publicKey, text, signature))
  )
  const byPasskey = await Promise.all(made.map(({ passkey }) => passkey && personOf(settings, row, passkey, { keys, at })))
  const persons = [...byFile.map(({ name }) => name.toLowerCase()), ...byPasskey]
  return { persons: new Set(persons.filter((person) => person != null)), hasFileKey: byFile.length > 0 }
}

async function personOf(
  settings: WithdrawalSettings,
  row: Approved,
  passkey: PasskeyAnswer,
  { keys, at }: { keys: ListedKey[]; at: Date }
): Promise<string | undefined> {
  const { expires, nonce } = passkey
  if (!/^\d{1,12}$/.test(String(expires)) || BigInt(expires) * 1000n < BigInt(at.getTime())) return undefined
  return personOfAnswer(keys, challengeOfApproval(settings, row, { expires: BigInt(expires), nonce: String(nonce) }), passkey)
}

/** True if as many different persons approved it as its worth needs. */
export async function isApproved(
  db: Executor,
  settings: WithdrawalSettings,
  row: Approved,
  { cents, keys, at }: { cents: bigint; keys: ListedKey[]; at: Date }
): Promise<boolean> {
  const { persons, needsFileKey } = personsNeeded(cents, {
    oneAbove: settings.limits.approvalAboveCents,
    twoAbove: settings.signerTwoAboveCents,
    fileAbove: settings.signerFileAboveCents
  })
  if (persons === 0) return true
  const found = await approversOf(db, settings, row, { keys, at })
  return found.persons.size >= persons && (found.hasFileKey || !needsFileKey)
}

/** Approvals of one withdrawal that are looked at, so that rows made up in the database do not keep the signer busy. */
const MOST_APPROVALS = 20
