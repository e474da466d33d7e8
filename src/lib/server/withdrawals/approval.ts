/**
 * Approvals of a withdrawal: by a passkey at the desk, or by an operator's key in a file (Ed25519). Each is a signature over everything that
 * is approved. The signer checks them against its own lists of keys, so that a row in the database alone approves nothing.
 */
import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { Once } from '#lib/domain/staff/challenge.ts'
import { type ApprovedWithdrawal, approvalChallenge, personsNeeded } from '#lib/domain/withdrawals/approval.ts'
import type { Executor } from '../platform/db/client.ts'
import { isSignedBy } from '../platform/ed25519.ts'
import { activeOperators, type ListedKey, personOfAnswer } from '../staff/index.ts'
import { type WithdrawalRow, withdrawalDecisions } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'

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
export function challengeOfApproval(network: Network, row: Approved, once: Once): Uint8Array<ArrayBuffer> {
  return approvalChallenge(approvedOf(network, row), once)
}

/** Different persons who approved exactly this withdrawal, and whether one of them did by a key in a file. */
type Approvers = { persons: Set<string>; hasFileKey: boolean }

/** By the signer's own lists. `at`: the later of the chain's time and ours, by which an approval expires. */
async function approversOf(
  db: Executor,
  settings: WithdrawalSettings,
  row: Approved,
  { keys, at }: { keys: ListedKey[]; at: Date }
): Promise<Approvers> {
  const ofRow = and(eq(withdrawalDecisions.withdrawalId, row.id), eq(withdrawalDecisions.decision, 'approved'))
  const key = sql<string>`${withdrawalDecisions.passkey} ->> 'key'`
  // Of each known key the newest few: rows made up in the database push out no approval of another key, and a new approval comes before them.
  const ranked = db
    .select({
      passkey: withdrawalDecisions.passkey,
      rank: sql<number>`row_number() over (partition by ${key} order by ${withdrawalDecisions.id} desc)`.as('rank')
    })
    .from(withdrawalDecisions)
    .where(
      and(
        ofRow,
        inArray(key, keys.length > 0 ? keys.map((one) => one.key) : ['']),
        sql`length(${withdrawalDecisions.passkey}::text) < ${MOST_BYTES}`,
        sql`${withdrawalDecisions.passkey} ->> 'expires' ~ '^[0-9]{1,12}$'`
      )
    )
    .as('ranked')
  const answers = await db.select({ passkey: ranked.passkey }).from(ranked).where(lte(ranked.rank, MOST_OF_A_KEY))
  const made = await db
    .selectDistinct({ signature: withdrawalDecisions.signature })
    .from(withdrawalDecisions)
    .where(and(ofRow, isNotNull(withdrawalDecisions.signature), sql`length(${withdrawalDecisions.signature}) < ${MOST_BYTES}`))
    .limit(MOST_SIGNATURES)
  const text = approvalText(settings, row)
  const operators = await activeOperators(db, settings.operatorKeys)
  const byFile = operators.filter(({ publicKey }) =>
    made.some(({ signature }) => signature !== null && isSignedBy(publicKey, text, signature))
  )
  const byPasskey = await Promise.all(
    answers.map(
      ({ passkey }) => passkey && personOfAnswer({ keys, at }, passkey, (once) => challengeOfApproval(settings, row, once))
    )
  )
  const persons = [...byFile.map(({ name }) => name.toLowerCase()), ...byPasskey]
  return { persons: new Set(persons.filter((person) => person != null)), hasFileKey: byFile.length > 0 }
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

const MOST_BYTES = 8192
const MOST_SIGNATURES = 500
const MOST_OF_A_KEY = 20
