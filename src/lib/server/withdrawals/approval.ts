/**
 * An operator's approval of a withdrawal, signed by a key that only the operator has (Ed25519). The signer checks the signature against
 * its own list of keys, so that a row in the database alone approves nothing.
 */
import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Executor } from '../platform/db/client.ts'
import { type OperatorKey, operatorAmong } from '../platform/ed25519.ts'
import { type WithdrawalRow, withdrawalDecisions } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'

type Approved = Pick<WithdrawalRow, 'id' | 'chain' | 'currency' | 'receiver' | 'amount' | 'fee'>

/** Everything that an approval is about; with another network, receiver, token, amount or fee it is no approval of this withdrawal. */
export function approvalText({ networkNames }: Pick<WithdrawalSettings, 'networkNames'>, row: Approved): Buffer {
  const { id, chain, currency, receiver, amount, fee } = row
  return Buffer.from(
    JSON.stringify(['withdrawal approval', 1, id, networkNames[chain], currency, receiver, amount.toString(), fee.toString()])
  )
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
  return operatorAmong(
    settings.operatorKeys,
    text,
    signed.map(({ signature }) => signature)
  )
}

/** Approvals of one withdrawal that are looked at, so that rows made up in the database do not keep the signer busy. */
const MOST_APPROVALS = 20
