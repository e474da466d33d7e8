/**
 * An operator's approval of a withdrawal, signed by a key that only the operator has (Ed25519). The signer checks the signature against
 * its own list of keys, so that a row in the database alone approves nothing.
 */
import type { KeyObject } from 'node:crypto'
import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Executor } from '../platform/db/client.ts'
import { isSignedBy, publicKeyOf, signText } from '../platform/ed25519.ts'
import { type WithdrawalRow, withdrawalDecisions } from './schema.ts'
import type { OperatorKey, WithdrawalSettings } from './settings.ts'

type Approved = Pick<WithdrawalRow, 'id' | 'chain' | 'currency' | 'receiver' | 'amount' | 'fee'>
/** What signs approvals. A key in a file today; a passkey signs the same text. */
export type ApprovalKey = { publicKey: string; sign: (text: Buffer) => string }

/** Everything that an approval is about; with another network, receiver, token, amount or fee it is no approval of this withdrawal. */
export function approvalText({ networkNames }: Pick<WithdrawalSettings, 'networkNames'>, row: Approved): Buffer {
  const { id, chain, currency, receiver, amount, fee } = row
  return Buffer.from(
    JSON.stringify(['withdrawal approval', 1, id, networkNames[chain], currency, receiver, amount.toString(), fee.toString()])
  )
}

export function approvalKey(key: KeyObject): ApprovalKey {
  return { publicKey: publicKeyOf(key), sign: (text) => signText(key, text) }
}

/** The operator who approved exactly this withdrawal; undefined if none of the signer's list did. */
export async function approverOf(db: Executor, settings: WithdrawalSettings, row: Approved): Promise<OperatorKey | undefined> {
  const signed = await db
    .select({ signature: withdrawalDecisions.signature })
    .from(withdrawalDecisions)
    .where(
      and(
        eq(withdrawalDecisions.withdrawalId, row.id),
        eq(withdrawalDecisions.decision, 'approved'),
        isNotNull(withdrawalDecisions.signature)
      )
    )
    .orderBy(desc(withdrawalDecisions.id))
    .limit(MOST_APPROVALS)
  const text = approvalText(settings, row)
  return settings.operatorKeys.find(({ publicKey }) =>
    signed.some(({ signature }) => isSignedBy(publicKey, text, signature ?? ''))
  )
}

/** Approvals of one withdrawal that are looked at, so that rows made up in the database do not keep the signer busy. */
const MOST_APPROVALS = 20
