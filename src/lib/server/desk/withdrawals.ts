/** Decisions about withdrawals. */
import { randomBytes } from 'node:crypto'
import { isDeskCall, rulesOf } from '#lib/contract/desk/calls.ts'
import { deskShapes } from '#lib/contract/desk/shapes.ts'
import { PROPOSAL_SECONDS } from '#lib/domain/staff/sessions.ts'
import type { Context } from '../platform/context.ts'
import { challengeOf, type Site } from '../platform/webauthn.ts'
import {
  actHashOf,
  actOptions,
  DeskError,
  decideBriefly,
  deskSettings,
  type Evidence,
  keepEntry,
  requireRight,
  type Staff,
  staffActor
} from '../staff/index.ts'
import {
  approveByPasskey,
  challengeOfApproval,
  rejectWithin,
  type WithdrawalSettings,
  withdrawalWithEmail
} from '../withdrawals/index.ts'

type Asked = { call: string; params: Record<string, string>; body: Record<string, unknown>; staff: Staff; site: Site }

/** An approval's challenge is the withdrawal itself, which the signer computes again; every other act has a random one. */
export async function askForPasskey(
  context: Context,
  settings: { withdrawals: WithdrawalSettings },
  { call, params, body, staff, site }: Asked
) {
  if (!isDeskCall(call) || rulesOf(call).passkey !== 'act') throw new DeskError('not_found')
  requireRight(staff, rulesOf(call).right)
  const actHash = actHashOf(call, params, body)
  if (call !== 'approveWithdrawal') return actOptions(context, staff, site, { actHash })
  const id = deskShapes.approveWithdrawal.params.safeParse(params).data?.id
  const found = id && (await withdrawalWithEmail(context.db, id))
  if (!found) throw new DeskError('not_found')
  const expires = BigInt(Math.floor(context.clock().getTime() / 1000) + PROPOSAL_SECONDS)
  const nonce = randomBytes(16).toString('base64url')
  const challenge = new Uint8Array(challengeOfApproval(settings.withdrawals, found.row, { expires, nonce }))
  return actOptions(context, staff, site, { actHash, challenge, once: { expires: expires.toString(), nonce } })
}

/** Nobody decides about their own withdrawal: a member of staff may be a customer, too. */
async function requireForeign(context: Context, staff: Staff, id: string) {
  const found = await withdrawalWithEmail(context.db, id)
  if (!found) throw new DeskError('not_found')
  if (found.email === staff.email) throw new DeskError('own_account')
  return found.row
}

export async function approve(
  context: Context,
  settings: { withdrawals: WithdrawalSettings },
  { staff, id, why, evidence }: { staff: Staff; id: string; why: string; evidence: Evidence }
) {
  const row = await requireForeign(context, staff, id)
  const { once, key, answer } = evidence
  // Only what the signer will compute, too, is an approval.
  const approved = once && challengeOfApproval(settings.withdrawals, row, { expires: BigInt(once.expires), nonce: once.nonce })
  if (!approved || challengeOf(answer) !== Buffer.from(approved).toString('base64url')) throw new DeskError('passkey_late')
  const { usdCents } = row
  const outcome = await decideBriefly(context, staff, 'approve_withdrawal', async (work) => {
    const { withdrawal_two_above } = await deskSettings(work.tx)
    const { clientDataJSON, authenticatorData, signature } = answer.response
    const made = await approveByPasskey(work, {
      id,
      actor: staffActor(staff),
      why,
      twoAboveCents: withdrawal_two_above,
      answer: { key: key.id, ...once, clientData: clientDataJSON, authenticatorData, signature }
    })
    if (made === 'not_waiting') throw new DeskError('withdrawal_not_waiting')
    if (made === 'approved_before') throw new DeskError('approved_by_you')
    const details = { outcome: made, usdCents: usdCents.toString() }
    await keepEntry(work, { actor: staffActor(staff), act: 'approve_withdrawal', subject: `withdrawal:${id}`, why, details })
    return made
  })
  return {
    message:
      outcome === 'approved' ? 'Approved. The signer signs it next.' : 'Approved by you. Another person must approve it, too.'
  }
}

/** Throws `withdrawal_over` once it is signed. The customer reads why. */
export async function reject(context: Context, { staff, id, why }: { staff: Staff; id: string; why: string }) {
  await requireForeign(context, staff, id)
  await decideBriefly(context, staff, 'reject_withdrawal', async (work) => {
    if (!(await rejectWithin(context, work, { id, actor: staffActor(staff), why }))) throw new DeskError('withdrawal_over')
    await keepEntry(work, { actor: staffActor(staff), act: 'reject_withdrawal', subject: `withdrawal:${id}`, why })
  })
  return { message: 'Rejected. The customer has the amount back, and a mail with the reason.' }
}
